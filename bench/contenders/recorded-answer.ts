import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An answer of the service, to be sent by others. */
export type RecordedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Node adds these by itself. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding']

/** Asks the service, and writes what it answers to a file in the folder. */
export async function recordAnswer(
  folder: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  // The load asks for no compression, and what is recorded must have the length that it says.
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
  const body = await response.text()
  if (response.status >= 400) throw new Error(`the service answers ${response.status}: ${body}`)
  const own = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name))
  const answer: RecordedAnswer = { status: response.status, headers: Object.fromEntries(own), body }
  const file = join(folder, `${new URL(url).pathname.replaceAll('/', '-')}-${response.status}.json`)
  writeFileSync(file, JSON.stringify(answer))
  return file
}

/** What `recordAnswer` has written. */
export const readAnswer = (file: string | undefined): RecordedAnswer =>
  JSON.parse(readFileSync(file ?? '', 'utf8'))
