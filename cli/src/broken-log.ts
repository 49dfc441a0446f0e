import { Refusal } from './command.ts'

type Break = { readonly seq: number | null; readonly reason: string | null }

/** The refusal for an audit log that fails verification. */
export function brokenLog({ seq, reason }: Break, where = 'The audit log'): Refusal {
  // Management actions have their own numbers and no batches.
  const isBatch = seq !== null && !reason?.startsWith('the management action')
  const place = isBatch ? `, from batch ${seq} on` : ''
  return new Refusal(
    'check_failed',
    `${where} was changed after it was written${place}: ${reason}.`,
    'Keep the data as they are, and compare them with a backup.',
  )
}
