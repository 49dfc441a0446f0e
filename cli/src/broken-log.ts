import { Refusal } from './command.ts'

type Break = { readonly seq: number | null; readonly reason: string | null }

/** The refusal for a store that fails the verification of its audit log; `copy` is its folder if it is a backup. */
export function brokenLog({ seq, reason }: Break, copy?: string): Refusal {
  const of = copy === undefined ? '' : `The copy is in ${copy}, but `
  // Without a batch the break is elsewhere: in the row of another table, in an anchor, in the settings.
  const what =
    seq === null || seq === 0
      ? `${of}${copy === undefined ? 'The store' : 'it'} does not pass the verification of its audit log`
      : `${of}${copy === undefined ? 'The' : 'its'} audit log was changed after it was written${placeOf(seq, reason)}`
  return new Refusal(
    'check_failed',
    `${what}: ${reason}.`,
    'Keep the data as they are, and compare them, the anchor of the log included, with a backup.',
  )
}

/** Management actions have their own numbers and no batches. */
const placeOf = (seq: number, reason: string | null): string =>
  reason?.startsWith('the management action') ? '' : `, from batch ${seq} on`
