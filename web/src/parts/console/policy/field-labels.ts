import { WINDOWS } from '@stakewright/contract/rule-values'
import type { Problems, ReadField } from '../../../data/policy/read-draft.ts'
import { WINDOW_TEXTS } from './rule-text.ts'

/** The labels of the form. Its summary uses them to name invalid fields. */
export const FIELD_LABELS = {
  allow: 'Only these',
  deny: 'Never these',
  maxPerTx: 'Most in one transaction',
  approvalAbove: 'Ask me above',
  hour: `Most ${WINDOW_TEXTS.hour}`,
  day: `Most ${WINDOW_TEXTS.day}`,
  epoch: `Most ${WINDOW_TEXTS.epoch}`,
  '30days': `Most ${WINDOW_TEXTS['30days']}`,
  maxShare: 'Largest share of one',
  minScore: 'Lowest score',
  maxCommission: 'Highest commission',
  minValidators: 'Fewest validators',
  days: 'Days',
  to: 'To',
  senders: 'Who may sign',
  recipients: 'Who may receive',
  expires: 'It ends, UTC',
} as const satisfies Partial<Record<ReadField, string>>

/** The order of the form. */
const ORDER = [
  'maxPerTx',
  ...WINDOWS,
  'approvalAbove',
  'allow',
  'deny',
  'maxShare',
  'minScore',
  'maxCommission',
  'minValidators',
  'days',
  'to',
  'expires',
  'senders',
  'recipients',
] as const satisfies readonly (keyof typeof FIELD_LABELS)[]

/** Every problem, together with its field. */
export const problemsText = (problems: Problems): string =>
  ORDER.flatMap((field) =>
    problems[field] === undefined ? [] : [`“${FIELD_LABELS[field]}”: ${problems[field]}`],
  ).join(' ')
