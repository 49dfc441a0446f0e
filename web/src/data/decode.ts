import type { Reply } from '@stakewright/client'

type Built = Reply<'buildStake'>
type Command = Built['commands'][number]
type Argument = Extract<Command, { kind: 'moveCall' }>['arguments'][number]

type Words = {
  readonly tokens: (amount: string) => string
  readonly validatorName: (id: string) => string
  readonly shortId: (id: string) => string
  /** Whether a staked token has earned something that is paid out with it. */
  readonly hasEarned: (tokenId: string) => boolean
}

/** Each command of a sandbox transaction as a sentence a person can check before signing; other calls by name. */
export const decodeCommands = (commands: readonly Command[], words: Words): readonly string[] =>
  commands.map((command) => decode(command, words))

function decode(command: Command, words: Words): string {
  switch (command.kind) {
    case 'coin':
      return `Take ${words.tokens(command.amount)} out of your coins.`
    case 'moveCall':
      return decodeCall(command, words)
    case 'transferToSender':
      return `Hand ${command.objects.length === 1 ? 'the result' : 'the results'} to you, the signer.`
  }
}

function decodeCall(
  { target, arguments: given }: Extract<Command, { kind: 'moveCall' }>,
  words: Words,
): string {
  const name = target.split('::').slice(1).join('::')
  const pure = given.flatMap((argument) => (argument.kind === 'pure' ? [argument] : []))
  const owned = given.find((argument) => argument.kind === 'ownedObject')
  const token = owned ? `the staked token ${words.shortId(owned.objectId)}` : 'it'
  switch (name) {
    case 'system::request_add_stake':
      return `Stake it with ${words.validatorName(pure.find(({ type }) => type !== 'u64')?.value ?? '')}.`
    case 'system::request_withdraw_stake':
      return `Ask for ${token} back: it is paid out in a later epoch.`
    case 'system::withdraw_stake': {
      const what = owned && words.hasEarned(owned.objectId) ? 'principal and rewards' : 'its principal'
      return `Pay out ${token}: ${what}, as a coin.`
    }
    case 'staked_token::split':
      return `Split ${words.tokens(pure[0]?.value ?? '0')} off ${token}.`
    default:
      return `Call ${name} with ${given.map((argument) => describeArgument(argument, words)).join(', ')}.`
  }
}

function describeArgument(argument: Argument, { shortId }: Words): string {
  switch (argument.kind) {
    case 'sharedObject':
      return `the shared object ${shortId(argument.objectId)}`
    case 'ownedObject':
      return `your object ${shortId(argument.objectId)}`
    case 'pure':
      return `${argument.type} ${shortId(argument.value)}`
    case 'result':
      return `the result of ${argument.of}`
  }
}
