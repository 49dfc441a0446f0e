import { hasKeyTwice, sizeOfJson } from '@stakewright/contract/json-keys'
import { Misuse, Refusal } from '../command.ts'

/** Parses JSON of a caller. Like the service, it refuses duplicate keys. */
export function readJson(text: string, what: string): unknown {
  const value = parse(text, what)
  if (hasKeyTwice(value, sizeOfJson(text))) throw new Misuse(`${what} has a key twice in one object.`)
  return value
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Node's message quotes the text, which may be a secret.
    const place = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
    // The usual mistake is a file name without `@`, which begins like no object and no list.
    if (!/^\s*[[{]/.test(text))
      throw new Refusal('usage', `${what} is not JSON.`, 'Give JSON, or `@FILE` for the file that has it.')
    throw new Misuse(`${what} is not JSON${place === undefined ? '' : `: see ${place.slice(3)}`}.`)
  }
}
