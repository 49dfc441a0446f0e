import { LIMITS } from '@stakewright/contract/limits'
import { OWN_SIGNS } from '../parts/format.ts'
import { readTokens, tokensAsInput } from '../parts/typed/amount.ts'
import type { Network, Validator } from './queries.ts'
import { findNamed, type Named, uniqueNameOf, unnamedText } from './validators/named.ts'

export type Position = {
  readonly stakedTokenId: string
  readonly validatorId: string
  readonly principal: string
}
type ParsedPositions =
  | {
      readonly kind: 'ok'
      readonly positions: readonly Position[]
      /** How amounts were read that may mean something else. */
      readonly notes: readonly string[]
    }
  | { readonly kind: 'problem'; readonly text: string }

/** The most positions of a plan. */
export const MAX_POSITIONS = LIMITS.rebalancePositions

/** Placeholder id of a staked token without one; no object has so short an id. */
export const placeholderId = (index: number): string => `0x${(index + 1).toString(16)}`
export const isPlaceholderId = (id: string): boolean => id.length <= 4

/** One position per line: a validator by name or id, an amount in tokens, and perhaps the id of the staked token. */
export function parsePositions(
  text: string,
  validators: readonly Validator[],
  network: Network,
): ParsedPositions {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) return { kind: 'problem', text: 'Write at least one position.' }
  if (lines.length > MAX_POSITIONS)
    return { kind: 'problem', text: `There may be ${MAX_POSITIONS} positions at most.` }
  const positions: Position[] = []
  const notes: string[] = []
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line, index, validators, network)
    if (typeof parsed === 'string') return { kind: 'problem', text: `Line ${index + 1}: ${parsed}` }
    positions.push(parsed.position)
    if (parsed.note !== undefined) notes.push(`Line ${index + 1}: ${lowerFirst(parsed.note)}`)
  }
  return { kind: 'ok', positions, notes }
}

type ParsedLine = { readonly position: Position; readonly note: string | undefined }

function parseLine(
  line: string,
  index: number,
  validators: readonly Validator[],
  network: Network,
): ParsedLine | string {
  const { who, amountText, token, left } = partsOf(line)
  const named = findNamed(who, validators)
  if (named.kind !== 'one') return unknownName(line, who, named, validators)
  if (amountText === '') return 'write the amount in tokens after the validator, such as 25000.'
  if (token !== undefined && !TOKEN_ID.test(token))
    return `“${token}” is no id of a staked token: it begins with 0x and has 64 hex digits. It may be left out.`
  const typed = readTokens(amountText, network)
  if (typed.kind === 'problem') return lowerFirst(typed.text)
  if (left !== undefined)
    return `“${left}” is left over: a line has a validator, an amount and perhaps the id of a staked token.`
  const [amount, note] = typed.kind === 'noted' ? [typed.readAs, typed.note] : [typed.amount]
  if (amount === 0n) return 'an amount of nothing is no position.'
  const stakedTokenId = token?.toLowerCase() ?? placeholderId(index)
  return { position: { stakedTokenId, validatorId: named.id, principal: String(amount) }, note }
}

/** Some tools omit leading zeros. A much shorter id is a typing error or a placeholder for a missing id. */
const TOKEN_ID = /^0x[0-9a-f]{56,64}$/i

/** Explains why a name is unknown: often the separator between name and amount is missing. */
function unknownName(line: string, who: string, named: Named, validators: readonly Validator[]): string {
  const begun = validators.find(({ name }) => line.toLowerCase().startsWith(`${name.toLowerCase()} `))
  return begun && named.kind === 'nobody'
    ? `write “${BETWEEN.trim()}” after the name: ${begun.name}${BETWEEN}${line.slice(begun.name.length).trim()}`
    : unnamedText(who, named)
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

type Parts = {
  readonly who: string
  readonly amountText: string
  readonly token: string | undefined
  /** What follows the amount, and is no id. */
  readonly left: string | undefined
}

/** Splits at semicolons or tabs if there are any, otherwise at commas that are not part of an amount. */
function partsOf(line: string): Parts {
  const isClear = /[;\t]/.test(line)
  const [first = '', ...rest] = line.split(isClear ? /[;\t]/ : ',')
  const who = first.trim()
  const last = rest.at(-1)?.trim() ?? ''
  // After the amount, a part without digits must be meant as an id.
  const isWord = rest.length > 1 && /\p{L}/u.test(last) && !/\p{Nd}/u.test(last)
  const token = last.startsWith('0x') || isWord ? last : undefined
  if (token !== undefined) rest.pop()
  // Within an amount a comma has no space after it: “25, 000” are two numbers, whatever a comma means here.
  if (!isClear) return { who, amountText: rest.join(',').trim(), token, left: undefined }
  const [amountText = '', left] = rest.map((part) => part.trim()).filter((part) => part !== '')
  return { who, amountText, token, left }
}

/** Separates the parts of a line; never a sign that the user's locale writes within a number. */
const BETWEEN = OWN_SIGNS.decimal === ',' ? '; ' : ', '

export const positionsText = (
  positions: readonly Position[],
  validators: readonly Validator[],
  { decimals }: Network,
): string =>
  positions
    .map(({ validatorId, principal, stakedTokenId }) => {
      const token = isPlaceholderId(stakedTokenId) ? [] : [stakedTokenId]
      const who = uniqueNameOf(validatorId, validators, /[,;\t\n\r]/)
      return [who, tokensAsInput(BigInt(principal), decimals), ...token].join(BETWEEN)
    })
    .join('\n')

/** Example positions with the largest validators. */
export const examplePositions = (
  validators: readonly Validator[],
  { decimals }: Network,
): readonly Position[] =>
  validators
    .filter(({ status }) => status === 'active')
    .toSorted((a, b) => Number(BigInt(b.totalStake) - BigInt(a.totalStake)))
    .slice(0, 3)
    .map(({ id }, index) => ({
      stakedTokenId: placeholderId(index),
      validatorId: id,
      principal: String(2_000_000n * 10n ** BigInt(decimals)),
    }))
