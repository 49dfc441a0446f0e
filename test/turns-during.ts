import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'

/** How many turns the event loop makes until the work has ended: in each of them requests would be served. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let turns = 0
  while (!isOver) {
    await nextTurnOfEventLoop()
    turns += 1
  }
  await over
  return turns
}
