import { NETWORK_NAMES } from '@stakewright/contract/networks'
import { ACTIONS, DAYS } from '@stakewright/contract/rule-values'
import { numberAsInput, tokensAsInput } from '../../parts/typed/amount.ts'
import { uniqueNameOf } from '../validators/named.ts'
import type {
  Action,
  Day,
  MovingAction,
  NetworkName,
  PolicyDocument,
  PolicyRule,
  RuleOf,
  Window,
} from './rules.ts'

/** The state of the policy form: texts as typed, empty if there is no such rule. */
export type Draft = {
  readonly actions: readonly Action[]
  readonly networks: readonly NetworkName[]
  /** Validators by name or id, one per line. */
  readonly allow: string
  readonly deny: string
  readonly maxPerTx: string
  readonly windows: Readonly<Record<Window, string>>
  readonly approvalAbove: string
  readonly maxShare: string
  readonly minScore: string
  readonly maxCommission: string
  readonly minValidators: string
  readonly days: readonly Day[]
  readonly from: string
  readonly to: string
  /** Addresses, one per line. */
  readonly senders: string
  readonly recipients: string
  /** A moment of UTC, as the browser's control writes it. */
  readonly expires: string
  readonly paused: boolean
  readonly loosenAfterSeconds: number
  /** The counted actions of rules that count only some; the form keeps them unchanged. */
  readonly counted: Readonly<Partial<Record<Amounted, readonly MovingAction[]>>>
}

/** The rules that have an amount. */
export type Amounted = 'maxPerTx' | 'approvalAbove' | Window

export type KnownToForm = {
  readonly decimals: number
  readonly symbol: string
  readonly validators: readonly { readonly id: string; readonly name: string }[]
}

export const ADDRESS = /^0x[0-9a-f]{1,64}$/i

export function toDraft(policy: PolicyDocument | null, { decimals, validators }: KnownToForm): Draft {
  const rules: readonly PolicyRule[] = policy?.rules ?? [{ rule: 'actions', allow: [...ACTIONS] }]
  const find = <Name extends PolicyRule['rule']>(name: Name): RuleOf<Name> | undefined =>
    rules.find((rule): rule is RuleOf<Name> => rule.rule === name)
  const tokens = (rule: { readonly amount: string } | undefined) =>
    rule ? tokensAsInput(BigInt(rule.amount), decimals) : ''
  const window = (name: Window) =>
    rules.find((rule): rule is RuleOf<'maxPerWindow'> => rule.rule === 'maxPerWindow' && rule.window === name)
  const lines = (ids: readonly string[] | undefined, shown = (id: string) => id) =>
    (ids ?? []).map(shown).join('\n')
  const counted: Partial<Record<Amounted, readonly MovingAction[]>> = {}
  for (const rule of rules) {
    if (rule.rule === 'maxPerTx' || rule.rule === 'approvalAbove') counted[rule.rule] = rule.actions
    if (rule.rule === 'maxPerWindow') counted[rule.window] = rule.actions
  }
  const [places, hours] = [find('validators'), find('hours')]
  const nameOf = (id: string) => uniqueNameOf(id, validators, /[\n\r]/)
  return {
    actions: inOrder(ACTIONS, find('actions')?.allow ?? []),
    networks: inOrder(NETWORK_NAMES, find('networks')?.allow ?? []),
    allow: lines(places?.allow, nameOf),
    deny: lines(places?.deny, nameOf),
    maxPerTx: tokens(find('maxPerTx')),
    windows: {
      hour: tokens(window('hour')),
      day: tokens(window('day')),
      epoch: tokens(window('epoch')),
      '30days': tokens(window('30days')),
    },
    approvalAbove: tokens(find('approvalAbove')),
    maxShare: percent(find('maxShare')?.share),
    minScore: number(find('minScore')?.score),
    maxCommission: percent(find('maxCommission')?.commission),
    minValidators: number(find('minValidators')?.validators),
    days: inOrder(DAYS, hours?.days ?? DAYS),
    from: String(hours?.from ?? 0),
    to: String(hours?.to ?? 24),
    senders: lines(find('senders')?.allow),
    recipients: lines(find('recipients')?.allow),
    expires: find('expires')?.at.replace(/(:00)?(\.000)?Z$/, '') ?? '',
    paused: find('paused') !== undefined,
    loosenAfterSeconds: policy?.loosenAfterSeconds ?? 0,
    counted,
  }
}

/** The order in which the form sets them, so that drafts can be compared. */
const inOrder = <T>(all: readonly T[], chosen: readonly T[]): readonly T[] =>
  all.filter((one) => chosen.includes(one))

const number = (value: number | undefined): string => (value === undefined ? '' : numberAsInput(value))
const percent = (share: number | undefined): string =>
  share === undefined ? '' : numberAsInput(Number((share * 100).toPrecision(12)))
