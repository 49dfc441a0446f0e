/**
 * Says how to correct words that are nearly a wish. Nothing is looked up or completed: a name is not unique, a shortened
 * id fits many, and a guess would be signed.
 */

const NEAR_STAKE = /^stake \S+ \S+ with (validator )?(.+?) from (.+?)(?: on \S+)?$/
const NEAR_TAKE = /^(?:unstake|withdraw) \S+ \S+ of (staked token )?(.+?) from (.+?)(?: on \S+)?$/

/** Undefined if the words are too far from a wish. */
export function nearWords(text: string): string | undefined {
  const stake = NEAR_STAKE.exec(text)
  const take = NEAR_TAKE.exec(text)
  const [, isNamed, target = '', sender = ''] = stake ?? take ?? []
  if (target === '') return undefined
  const why =
    problemOf(target, stake ? VALIDATOR : TOKEN) ??
    problemOf(sender, SENDER) ??
    (isNamed ? undefined : `write \`${stake ? 'with validator' : 'of staked token'} 0x…\``)
  return why && `a wish in words is exact: ${why}`
}

/** The part of a wish that an id names, and where a caller finds the id. */
type Role = { readonly what: string; readonly source: string }

const VALIDATOR: Role = {
  what: 'the validator',
  source:
    'names of validators are not unique, and nothing is looked up; `stakewright validators` shows the id of each',
}
const TOKEN: Role = {
  what: 'the staked token',
  source: 'nothing is looked up; `stakewright positions OWNER` shows the id of each',
}
const SENDER: Role = {
  what: 'the sender after `from`',
  source: 'neither the name of a wallet nor a word such as `me` is looked up; your wallet shows the address',
}

function problemOf(text: string, { what, source }: Role): string | undefined {
  const write = `${what} must be written as 0x and all 64 hex digits`
  if (/^0x[0-9a-f]{64}$/i.test(text)) return undefined
  if (/^(?:0x)?[0-9a-f]+(?:…|\.{2,})[0-9a-f]*$/i.test(text)) return `${write}, and digits are left out here`
  const digits = /^0x([0-9a-f]+)$/i.exec(text)?.[1]?.length
  if (digits !== undefined)
    return `${write}, zeros in front included, and there ${digits === 1 ? 'is 1' : `are ${digits}`} here`
  if (/^(?:0X)?[0-9a-f]{64}$/i.test(text)) return `${write}, and the 0x is missing or misspelled here`
  return `${write}, and this is no id: ${source}`
}
