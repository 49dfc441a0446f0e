import { LIMITS } from '@stakewright/contract/limits'
import {
  numberFrom,
  readChainId,
  readParts,
  readUnits,
  unreadText,
  wholeFrom,
} from '../address/read-parts.ts'
import type { Network, Validator } from '../queries.ts'
import { parseGroups } from '../stake-groups.ts'
import { type Choice, DEFAULTS, defaultAmount } from './choice.ts'

export type ReadChoice = {
  readonly choice: Choice
  /** What the address has for an amount, where that is none: then nothing is to be answered. */
  readonly unreadAmount: string | undefined
  /** Sentences about other parts of the address that could not be read. */
  readonly unread: readonly string[]
}

/** What the address wants allocated. */
export function readChoice(query: URLSearchParams, network: Network): ReadChoice {
  const parts = readParts(query)
  const { read, unread } = parts
  const amountText = query.get('amount')
  const amount = amountText === null ? defaultAmount(network) : readUnits(amountText)
  const most = LIMITS.allocationValidators.max
  const choice: Choice = {
    amount: amount ?? defaultAmount(network),
    maxValidators: read(
      'validators',
      wholeFrom(1, most),
      DEFAULTS.maxValidators,
      `it takes 1 to ${most}, and ${DEFAULTS.maxValidators} is used`,
    ),
    riskAversion: read(
      'risk',
      numberFrom(0, 1000),
      DEFAULTS.riskAversion,
      `it takes 0 to 1000, and ${DEFAULTS.riskAversion} is used`,
    ),
    maxShare: read(
      'share',
      numberFrom(0.01, 1),
      DEFAULTS.maxShare,
      'it takes 0.01 to 1, and no share is too large',
    ),
    minScore: read(
      'score',
      numberFrom(0, 100),
      DEFAULTS.minScore,
      'it takes 0 to 100, and every score is allowed',
    ),
    maxCommission: read(
      'commission',
      numberFrom(0, 1),
      DEFAULTS.maxCommission,
      'it takes 0 to 1, and every commission is allowed',
    ),
    liquid: read('liquid', readUnits, 0n, 'it takes smallest units, and nothing is kept at hand'),
    within: read(
      'within',
      wholeFrom(0, 2),
      DEFAULTS.within,
      'it takes 0 to 2 epochs, and this epoch is meant',
    ),
    owner: read(
      'owner',
      readChainId,
      '',
      'it takes an address such as 0x12ab, and no stake counts as held already',
    ),
    groups: query.get('groups') ?? '',
    exclude: readExcluded(query.get('exclude') ?? '', parts.note),
  }
  return { choice, unread, unreadAmount: amount === undefined ? (amountText ?? '') : undefined }
}

/** Each id by itself: one that cannot be read does not let the others in. */
function readExcluded(text: string, note: (sentence: string) => void): readonly string[] {
  const ids = text.split(',').filter((id) => id !== '')
  const bad = ids.filter((id) => readChainId(id) === undefined)
  if (bad.length > 0)
    note(unreadText('exclude', bad.join(','), 'it takes ids, and nobody is left out for it'))
  return [...new Set(ids.map(readChainId).filter((id) => id !== undefined))]
}

/** What is wrong with the groups of the address, once the validators are known that they name. */
export function unreadGroups({ groups }: Choice, validators: readonly Validator[]): readonly string[] {
  if (validators.length === 0) return []
  const parsed = parseGroups(groups, validators)
  return parsed.kind === 'ok'
    ? []
    : [`The groups in the address cannot be read: no group is held to a share. ${parsed.text}`]
}
