import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A recorded answer of the service, for the baselines to send. */
export type RecordedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Not recorded: Node adds these headers by itself. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding']

/** Calls the service and writes its answer to a file in the folder. Returns the path. */
export async function recordAnswer(
  folder: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  // No compression: `fetch` would decompress the body, which would then not match its content-length.
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
  const body = await response.text()
  if (response.status >= 400) throw new Error(`the service answers ${response.status}: ${body}`)
  const own = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name))
  const answer: RecordedAnswer = { status: response.status, headers: Object.fromEntries(own), body }
  const file = join(folder, `${new URL(url).pathname.replaceAll('/', '-')}-${response.status}.json`)
  writeFileSync(file, JSON.stringify(answer))
  return file
}

/** Reads a file of `recordAnswer`. */
export const readAnswer = (file: string | undefined): RecordedAnswer =>
  JSON.parse(readFileSync(file ?? '', 'utf8'))
