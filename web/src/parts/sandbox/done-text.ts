import type { Reply } from '@stakewright/client'
import type { Built, JournalEntry } from '../../data/account/wallet.ts'
import type { Holding } from '../../data/positions.ts'
import { formatExactTokens, localNumbers, plural, shortId } from '../format.ts'
import { isolateName } from '../validator-link.ts'
import type { Known } from './stage.ts'

type Executed = Reply<'sandboxExecute'>
/** `held` is the wallet's stake before the transaction. */
type KnownWithHeld = Known & { readonly held: Holding | undefined }

/** The journal entry of a transaction. It states the effects, because time may have moved since the build. */
export function entryFor(built: Built, result: Executed, known: KnownWithHeld): JournalEntry {
  const { epoch, abort } = result
  return abort
    ? { epoch, text: `The contract refused: ${abort.message}`, tone: 'bad' }
    : { epoch, text: doneText(built, result, known), tone: 'good' }
}

/** The entry if the answer was lost and the chain shows that the transaction was executed. */
export const entryWithoutAnswer = (built: Built, epoch: number): JournalEntry => ({
  epoch,
  text: `The answer was lost, and the chain shows that it was executed. ${localNumbers(built.summary)}`,
  tone: 'good',
})

function doneText(
  built: Built,
  { coinsPaidOut, changed, created, consumed }: Executed,
  { network, validators, held }: KnownWithHeld,
): string {
  const tokens = (amount: string) =>
    `${formatExactTokens(BigInt(amount), network.decimals)} ${network.symbol}`
  if (BigInt(coinsPaidOut) > 0n) {
    const gone = held?.tokens.filter(({ stakedTokenId }) => consumed.includes(stakedTokenId)) ?? []
    const principal = gone.reduce((sum, one) => sum + BigInt(one.principal), 0n)
    return `${tokens(coinsPaidOut)} were ${BigInt(coinsPaidOut) > principal ? 'paid out, principal and rewards' : 'paid back; they have earned nothing'}.`
  }
  const asked = changed.find(({ withdrawEpoch }) => withdrawEpoch !== null)
  if (asked)
    return `The staked token ${shortId(asked.stakedTokenId)} was asked for and can be withdrawn from epoch ${asked.withdrawEpoch} on.`
  const [made, ...more] = created
  if (!made) return `Executed. ${localNumbers(built.summary)}`
  if (more.length > 0) {
    const all = created.reduce((sum, { principal }) => sum + BigInt(principal), 0n)
    return `${tokens(String(all))} were staked with ${plural(new Set(created.map(({ validatorId }) => validatorId)).size, 'validator')}, active from epoch ${made.activationEpoch} on.`
  }
  const name = validators.find(({ id }) => id === made.validatorId)?.name ?? shortId(made.validatorId)
  return `${tokens(made.principal)} were staked with ${isolateName(name)}, active from epoch ${made.activationEpoch} on.`
}
