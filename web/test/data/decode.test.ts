import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCommands } from '../../src/data/decode.ts'

const words = {
  tokens: (amount: string) => `${amount} units`,
  validatorName: (id: string) => id,
  shortId: (id: string) => id,
  hasEarned: () => true,
}

const sentence = (target: string): string | undefined => {
  const call = { kind: 'moveCall', id: 'x', typeArguments: [] } as const
  return decodeCommands(
    [{ ...call, target, arguments: [{ kind: 'ownedObject', objectId: '0x7' }] }],
    words,
  )[0]
}

test('a call of the sandbox is explained, and a call whose effect is not known is named', () => {
  assert.match(
    sentence('0x1::system::request_withdraw_stake') ?? '',
    /^Ask for .* 0x7 back: .* later epoch\.$/,
  )
  assert.match(sentence('0x1::system::withdraw_stake') ?? '', /^Pay out .* 0x7: principal and rewards/)
  // On Sui this call pays at once.
  for (const name of ['sui_system::request_withdraw_stake', 'staked_token::join'])
    assert.equal(sentence(`0x3::${name}`), `Call ${name} with your object 0x7.`)
})
