import type { RequestLog } from '#ports/stores/request-log.ts'

/** The times of all logged requests of an agent, newest first, read in pages. */
export async function wholeLogOf(requestLog: RequestLog, id: string, limit: number): Promise<number[]> {
  const found: number[] = []
  let after: string | undefined
  do {
    const page = await requestLog.requestsOf(id, { after, limit })
    found.push(...page.requests.map(({ at }) => at))
    after = page.next
  } while (after !== undefined)
  return found
}
