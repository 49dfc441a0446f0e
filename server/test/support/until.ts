import { setTimeout } from 'node:timers/promises'

/** Asking without a pause would take the processor from what is waited for. */
const ASK_EVERY_MS = 10

/** Asks again and again until it is so. The timeout of the test ends what never is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(ASK_EVERY_MS)
}
