import { ENDPOINTS } from '@stakewright/contract'
import type { Command } from '../command.ts'
import { callEndpoint } from './call-endpoint.ts'
import { ENDPOINT_COMMANDS, type EndpointCommand } from './endpoint-commands.ts'
import { endpointHelp, usageOf } from './endpoint-help.ts'
import { GLOBAL_FLAGS, REPEAT_FLAGS, SAVE_FLAGS } from './global-flags.ts'
import { inputFlags, listedFlag } from './input-flags.ts'
import { answersSecret, isRepeatable } from './secret-answers.ts'

/**
 * Every endpoint of the contract as a command; endpoints with the same words are one command. All that depends
 * on schemas is computed lazily: only one command runs, and reading all schemas takes a sixth of the start-up time.
 */
export function apiCommands(): readonly Command[] {
  const words = [...new Set(ENDPOINT_COMMANDS.map((command) => command.words))]
  return words.map((name) => {
    const same = ENDPOINT_COMMANDS.filter((command) => command.words === name)
    const [first] = same
    return {
      words: name,
      get usage() {
        return usageOfAll(same)
      },
      summary: first ? ENDPOINTS[first.endpoint].summary : '',
      section: first ? ENDPOINTS[first.endpoint].tag : '',
      get flags() {
        return flagsOfAll(same)
      },
      get choices() {
        return choicesOfAll(same)
      },
      withoutTerminal: 'json',
      run: (args, terminal) => callEndpoint(same, args, terminal),
      help: () => endpointHelp(same),
    }
  })
}

function usageOfAll(same: readonly EndpointCommand[]): string {
  const usages = [...new Set(same.map(usageOf))].filter((usage) => usage !== '')
  return same.length > 1 ? usages.map((usage) => `[${usage}]`).join(' ') : usages.join('')
}

const flagsOfAll = (same: readonly EndpointCommand[]): readonly string[] => [
  ...new Set([
    ...same.flatMap(({ endpoint }) =>
      inputFlags(endpoint).flatMap((flag) => (flag.isSecret ? [] : [listedFlag(flag)])),
    ),
    ...Object.keys({
      ...GLOBAL_FLAGS,
      ...(same.some(answersSecret) && SAVE_FLAGS),
      ...(same.some(isRepeatable) && REPEAT_FLAGS),
    }),
  ]),
]

const choicesOfAll = (same: readonly EndpointCommand[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    same.flatMap(({ endpoint }) =>
      inputFlags(endpoint)
        .filter(({ choices }) => choices.length > 0)
        .map((flag) => [flag.flag, flag.choices]),
    ),
  )
