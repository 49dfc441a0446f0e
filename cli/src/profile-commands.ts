import { isCredential } from '@stakewright/client'
import { bareSecret } from './api/connection.ts'
import { readInput } from './api/read-input.ts'
import { type Command, Misuse, Refusal } from './command.ts'
import {
  changeProfile,
  DEFAULT_PROFILE,
  losesKey,
  type Profile,
  profilesFile,
  readProfiles,
  whichProfiles,
} from './profiles.ts'
import { readOptions } from './read-options.ts'
import { table } from './render/table.ts'

const FLAGS = { json: { type: 'boolean' } } as const
const SECRETS = ['apiKey', 'token'] as const

/** Commands for saved profiles: address, key and token of a service. Secrets are never shown. */
export const PROFILE_COMMANDS: readonly Command[] = [
  {
    words: 'profile list',
    usage: '',
    summary: 'The saved services',
    section: 'Command line',
    flags: Object.keys(FLAGS),
    withoutTerminal: 'json',
    async run(args, { env, style }) {
      readOptions(args, { options: FLAGS })
      const data = Object.entries(readProfiles(env)).map(([name, profile]) => shownProfile(name, profile))
      const columns = [
        { heading: 'NAME', cell: (item: Shown) => item.name },
        { heading: 'URL', cell: (item: Shown) => item.url ?? '-' },
        { heading: 'KEY', cell: (item: Shown) => (item.hasKey ? 'yes' : 'no') },
        { heading: 'TOKEN', cell: (item: Shown) => (item.hasToken ? 'yes' : 'no') },
      ]
      return { data, text: data.length > 0 ? table(columns, data, style) : 'There are no profiles yet.' }
    },
  },
  {
    words: 'profile set',
    usage: '[NAME] [--url URL] [--input -] [--replace]',
    summary: 'Save a service; --input takes { apiKey, token } as JSON',
    section: 'Command line',
    flags: [...Object.keys(FLAGS), 'url', 'input', 'replace'],
    withoutTerminal: 'json',
    async run(args, { env, readInput: readStandardInput }) {
      const options = {
        ...FLAGS,
        url: { type: 'string' },
        input: { type: 'string' },
        replace: { type: 'boolean' },
      } as const
      const { values, positionals } = readOptions(args, { options, allowPositionals: true })
      const { url, input } = values
      if (url !== undefined && !/^https?:\/\//.test(url))
        throw new Misuse('--url must start with http:// or https://')
      const given = input === undefined ? {} : await readInput(input, SECRETS, readStandardInput)
      const secrets = Object.entries(given).map(([name, value]) => [name, readSecret(name, value)])
      const name = positionals[0] ?? DEFAULT_PROFILE
      const change = { ...(url !== undefined && { url }), ...Object.fromEntries(secrets) }
      if (!values.replace && losesKey(env, name, change)) {
        throw new Refusal(
          'profile_in_use',
          `The profile "${name}" has a key already, which would be lost.`,
          'Give another NAME, or --replace to lose the old key.',
        )
      }
      changeProfile(env, name, change)
      const data = shownProfile(name, readProfiles(env)[name] ?? {})
      return { data, text: `The profile "${name}" is saved in ${profilesFile(env)}.` }
    },
  },
  {
    words: 'profile remove',
    usage: 'NAME',
    summary: 'Forget a saved service',
    section: 'Command line',
    flags: Object.keys(FLAGS),
    withoutTerminal: 'json',
    async run(args, { env }) {
      const { positionals } = readOptions(args, { options: FLAGS, allowPositionals: true })
      const [name] = positionals
      if (name === undefined) throw new Misuse('Say which one: profile remove NAME')
      const known = Object.keys(readProfiles(env))
      const fix = known.length === 0 ? 'There are no profiles: nothing has to be removed.' : undefined
      if (!known.includes(name))
        throw new Refusal('not_found', `There is no profile "${name}".`, fix ?? whichProfiles(known, name))
      changeProfile(env, name, undefined)
      return { data: { name, removed: true }, text: `The profile "${name}" is removed.` }
    },
  },
]

type Shown = ReturnType<typeof shownProfile>

const shownProfile = (name: string, { url, apiKey, token }: Profile) => ({
  name,
  url: url ?? null,
  hasKey: apiKey !== undefined,
  hasToken: token !== undefined,
})

function readSecret(name: string, value: unknown): string {
  if (SECRETS.some((secret) => secret === name) && typeof value === 'string') {
    const secret = bareSecret(value)
    if (isCredential(secret)) return secret
    throw new Misuse(`${name} cannot be a key or token: copy it again, whole and alone.`)
  }
  throw new Misuse(`--input takes the texts ${SECRETS.join(' and ')}, not "${name}".`)
}
