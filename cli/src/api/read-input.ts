import { readFileSync } from 'node:fs'
import { Misuse, Refusal, type Terminal } from '../command.ts'
import { isObject } from '../render/generic-view.ts'
import { readJson } from './read-json.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The value of `--input`, or of another option that takes JSON: `@FILE`, `-` for standard input, or the JSON itself.
 * The output of another command may be passed on as it is: the fields of its data that this command takes are used.
 */
export async function readInput(
  source: string,
  fields: readonly string[],
  readStandardInput: Terminal['readInput'],
  option = '--input',
): Promise<Input> {
  const value = readJson(await readText(source, readStandardInput, option), option)
  if (!isObject(value)) throw new Misuse(`${option} must be a JSON object.`)
  if (value['ok'] === false && isObject(value['error'])) {
    const { code, message } = value['error']
    throw new Refusal(String(code), `The previous command failed: ${message}`, 'Repeat that command first.')
  }
  if (value['ok'] === true && value['unchanged'] === true) {
    throw new Refusal('usage', 'The previous command had nothing new: its answer is unchanged.')
  }
  const { ok, data, ...beside } = value
  if (ok !== true || !isObject(data)) return value
  if (Object.keys(beside).length > 0) throw new Misuse(besideData(option, beside, fields))
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields.includes(name)))
}

/** Fields beside `data` are refused: they are not used, but a reader of the input could take them for the input. */
function besideData(option: string, beside: Input, fields: readonly string[]): string {
  const known = fields.filter((field) => field in beside).map((field) => `"${field}"`)
  const what = known.length > 0 ? known.join(', ') : 'something'
  return `${option} is the output of a command, { "ok", "data" }, and has ${what} beside "data", which is not read: remove what is beside it, or give what is in "data" alone.`
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be read',
  EISDIR: 'this is a folder',
}

/** The text of `@FILE`, of `-`, or the value itself. */
export async function readText(
  source: string,
  readStandardInput: Terminal['readInput'],
  option: string,
): Promise<string> {
  return source === '-' ? readStandardInput() : readNamedText(source, option)
}

/** The text of `@FILE`, or the value itself. */
export function readNamedText(source: string, option: string): string {
  if (!source.startsWith('@')) return source
  try {
    return readFileSync(source.slice(1), 'utf8')
  } catch (error) {
    const { code } = Object(error)
    throw new Misuse(`${option}: ${PROBLEMS[String(code)] ?? 'the file cannot be read'}.`)
  }
}
