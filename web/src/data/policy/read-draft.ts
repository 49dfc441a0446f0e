import { DAYS, MOVING_ACTIONS, WINDOWS } from '@stakewright/contract/rule-values'
import { readNumber, readTokens } from '../../parts/typed/amount.ts'
import { findNamed } from '../validators/named.ts'
import { ADDRESS, type Amounted, type Draft, type KnownToForm } from './draft.ts'
import type { PolicyDocument, PolicyRule } from './rules.ts'

/** A field of the form that may have a problem. */
export type ReadField = keyof Draft | Amounted

/** Problems by form field. */
export type Problems = Readonly<Partial<Record<ReadField, string>>>

/** How fields were read that may mean something else, by form field. */
export type Notes = Readonly<Partial<Record<ReadField, string>>>

type ReadDraft = { readonly notes: Notes } & (
  | { readonly kind: 'ok'; readonly document: PolicyDocument }
  | { readonly kind: 'problems'; readonly problems: Problems }
)

/** Parses the form into a policy, or returns the problems by field. Empty fields make no rule. */
export function readDraft(draft: Draft, known: KnownToForm, now: number): ReadDraft {
  const problems: Noted = {}
  const notes: Noted = {}
  const rules: (PolicyRule | undefined)[] = [
    draft.actions.length > 0 ? { rule: 'actions', allow: [...draft.actions] } : undefined,
    draft.networks.length > 0 ? { rule: 'networks', allow: [...draft.networks] } : undefined,
    validatorsRule(draft, known, problems),
    ...amountRules(draft, known, problems, notes),
    ...numberRules(draft, problems),
    hoursRule(draft, problems),
    addressRule('senders', draft, problems),
    addressRule('recipients', draft, problems),
    draft.paused ? { rule: 'paused' } : undefined,
    expiresRule(draft, now, problems),
  ]
  if (Object.keys(problems).length > 0) return { kind: 'problems', problems, notes }
  return {
    kind: 'ok',
    notes,
    document: {
      rules: rules.filter((rule) => rule !== undefined),
      loosenAfterSeconds: draft.loosenAfterSeconds,
    },
  }
}

type Noted = Partial<Record<ReadField, string>>

function amountRules(draft: Draft, known: KnownToForm, problems: Noted, notes: Noted): readonly PolicyRule[] {
  const read = (field: Amounted, text: string) => {
    if (text.trim() === '') return undefined
    const typed = readTokens(text, known)
    if (typed.kind === 'problem') problems[field] = typed.text
    if (typed.kind === 'noted') notes[field] = typed.note
    const amount = typed.kind === 'amount' ? typed.amount : typed.kind === 'noted' ? typed.readAs : 0n
    return { amount: String(amount), actions: draft.counted[field] ?? [...MOVING_ACTIONS] }
  }
  const most = read('maxPerTx', draft.maxPerTx)
  const above = read('approvalAbove', draft.approvalAbove)
  return [
    ...(most ? [{ rule: 'maxPerTx' as const, ...most }] : []),
    ...WINDOWS.flatMap((window): readonly PolicyRule[] => {
      const found = read(window, draft.windows[window])
      return found ? [{ rule: 'maxPerWindow', window, ...found }] : []
    }),
    ...(above ? [{ rule: 'approvalAbove' as const, ...above }] : []),
  ]
}

function numberRules(draft: Draft, problems: Noted): readonly PolicyRule[] {
  const read = (
    field: 'maxShare' | 'minScore' | 'maxCommission' | 'minValidators',
    [least, most]: readonly [number, number],
  ): number | undefined => {
    if (draft[field].trim() === '') return undefined
    const value = readNumber(draft[field]) ?? Number.NaN
    const isFit = value >= least && value <= most
    if (!isFit) problems[field] = `Write a number from ${least} to ${most}.`
    return isFit ? value : least
  }
  const share = read('maxShare', [0.01, 100])
  const score = read('minScore', [0, 100])
  const commission = read('maxCommission', [0, 100])
  const validators = read('minValidators', [1, 50])
  if (validators !== undefined && !Number.isInteger(validators))
    problems.minValidators = 'Write a whole number from 1 to 50.'
  return [
    ...(share === undefined ? [] : [{ rule: 'maxShare' as const, share: toFraction(share) }]),
    ...(score === undefined ? [] : [{ rule: 'minScore' as const, score }]),
    ...(commission === undefined
      ? []
      : [{ rule: 'maxCommission' as const, commission: toFraction(commission) }]),
    ...(validators === undefined ? [] : [{ rule: 'minValidators' as const, validators }]),
  ]
}

/** Rounded to 12 digits, because dividing 33.3 by 100 does not give exactly 0.333. */
const toFraction = (percent: number): number => Number((percent / 100).toPrecision(12))

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function validatorsRule(draft: Draft, { validators }: KnownToForm, problems: Noted): PolicyRule | undefined {
  const read = (field: 'allow' | 'deny') => {
    const ids = linesOf(draft[field]).map((line) => {
      // An id of an unknown validator is allowed.
      if (ADDRESS.test(line)) return line.toLowerCase()
      const named = findNamed(line, validators)
      if (named.kind === 'one') return named.id
      problems[field] =
        named.kind === 'several'
          ? `Several validators are called “${line}”. Write the id of one.`
          : `No validator is called “${line}”. Write a name from the list, or an id.`
      return line
    })
    return ids.length === 0 ? undefined : [...new Set(ids)]
  }
  const [allow, deny] = [read('allow'), read('deny')]
  const both = deny?.find((id) => allow?.includes(id))
  if (both !== undefined && problems.allow === undefined && problems.deny === undefined)
    problems.deny = `“${validators.find(({ id }) => id === both)?.name ?? both}” is in “Only these”, too. Take it out of one of them.`
  if (!allow && !deny) return undefined
  return { rule: 'validators', ...(allow && { allow }), ...(deny && { deny }) }
}

function addressRule(field: 'senders' | 'recipients', draft: Draft, problems: Noted): PolicyRule | undefined {
  const allow = [...new Set(linesOf(draft[field]))]
  const wrong = allow.find((line) => !ADDRESS.test(line))
  if (wrong !== undefined) problems[field] = `“${wrong}” is no address: it begins with 0x and has hex digits.`
  return allow.length === 0 ? undefined : { rule: field, allow }
}

function hoursRule({ days, from, to }: Draft, problems: Noted): PolicyRule | undefined {
  const [first, end] = [Number(from), Number(to)]
  if (days.length === 0) problems.days = 'Choose at least one day, or pause the agent instead.'
  if (first === end) problems.to = 'This is also the beginning. For whole days choose 00:00 to 24:00.'
  if (days.length === DAYS.length && first === 0 && end === 24) return undefined
  return { rule: 'hours', days: [...days], from: first, to: end }
}

function expiresRule({ expires }: Draft, now: number, problems: Noted): PolicyRule | undefined {
  if (expires === '') return undefined
  const at = new Date(`${expires}Z`)
  if (Number.isNaN(at.getTime())) problems.expires = 'Write a date and a time.'
  else if (at.getTime() <= now)
    problems.expires = 'This moment is over. Choose a later one, or pause the agent.'
  else return { rule: 'expires', at: at.toISOString() }
  return undefined
}
