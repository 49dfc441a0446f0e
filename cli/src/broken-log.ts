import { Refusal } from './command.ts'

type Break = { readonly seq: number | null; readonly reason: string | null }

/** The audit log is not what was written. */
export function brokenLog({ seq, reason }: Break, where = 'The audit log'): Refusal {
  // Management actions are counted by themselves, and not in batches.
  const isBatch = seq !== null && !reason?.startsWith('the management action')
  const place = isBatch ? `, from batch ${seq} on` : ''
  return new Refusal(
    'check_failed',
    `${where} is not as it was written${place}: ${reason}.`,
    'Keep the data as they are, and compare them with a backup.',
  )
}
