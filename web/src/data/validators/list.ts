import { numberFrom, oneOf, readParts } from '../address/read-parts.ts'
import type { Histories, Validator } from '../queries.ts'

/** Epochs of history in a row of the table. */
export const EPOCHS = 30

export const FILTERS = ['active', 'all', 'changing', 'outside'] as const
export type Filter = (typeof FILTERS)[number]

export type Row = Validator & {
  readonly rank: number | undefined
  readonly history: Histories['data'][number] | undefined
}

/** Filter, order and search of the list, as stored in the URL. */
export type Choice = {
  readonly search: string
  readonly filter: Filter
  readonly maxCommission: number
  readonly order: { readonly key: Sort; readonly direction: 'ascending' | 'descending' }
}

const SORTS = ['name', 'score', 'apy', 'commission', 'uptime', 'stake', 'headroom'] as const
export type Sort = (typeof SORTS)[number]

export function readChoice(query: URLSearchParams): {
  readonly choice: Choice
  readonly unread: readonly string[]
} {
  const { read, unread } = readParts(query)
  const shown = `it takes ${FILTERS.join(', ')}, and those in the committee are shown`
  const choice: Choice = {
    search: query.get('q') ?? '',
    filter: read<Filter>('show', oneOf(FILTERS), 'active', shown),
    maxCommission: read(
      'commission',
      numberFrom(0, 100),
      100,
      'it takes 0 to 100 percent, and any commission is shown',
    ),
    order: {
      key: read<Sort>('sort', oneOf(SORTS), 'score', `it takes ${SORTS.join(', ')}, and the score sorts`),
      direction: read(
        'order',
        (text) => (text === 'up' ? 'ascending' : undefined),
        'descending',
        'it takes up, and the highest come first',
      ),
    },
  }
  return { choice, unread }
}

export function toRows(validators: readonly Validator[], histories: Histories | undefined): readonly Row[] {
  const ranked = validators
    .filter(({ score }) => score !== null && score > 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const ranks = new Map(ranked.map(({ id }, index) => [id, index + 1]))
  const byId = new Map(histories?.data.map((one) => [one.id, one]))
  return validators.map((validator) => ({
    ...validator,
    rank: ranks.get(validator.id),
    history: byId.get(validator.id),
  }))
}

const isInCommittee = ({ status }: Validator) => status === 'active' || status === 'leaving'
const isChanging = (one: Validator) =>
  one.status === 'leaving' || one.status === 'pending' || one.commissionRate !== one.nextCommissionRate

const FITS: Readonly<Record<Filter, (one: Validator) => boolean>> = {
  active: isInCommittee,
  all: () => true,
  changing: isChanging,
  outside: (one) => !isInCommittee(one),
}

function fits(one: Validator, { search, filter, maxCommission }: Choice): boolean {
  const words = search.trim().toLowerCase()
  const named = words === '' || one.name.toLowerCase().includes(words) || one.id.startsWith(words)
  return named && FITS[filter](one) && one.commissionRate * 100 <= maxCommission
}

export const shownRows = (rows: readonly Row[], choice: Choice) => rows.filter((row) => fits(row, choice))
export const countShown = (validators: readonly Validator[], choice: Choice) =>
  validators.filter((one) => fits(one, choice)).length
