import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal, type Terminal } from './command.ts'

/** A service that is used again and again, with what it takes to use it. */
export type Profile = { readonly url?: string; readonly apiKey?: string; readonly token?: string }

export type Profiles = Readonly<Record<string, Profile>>

export const DEFAULT_PROFILE = 'default'

type Environment = Terminal['env']

/** A service of this machine listens where PORT says. */
export const localUrl = (env: Environment): string => `http://127.0.0.1:${env['PORT'] || 3000}`

export function profilesFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? join(homedir(), '.config')
  return env['STAKEWRIGHT_PROFILES'] ?? join(folder, 'stakewright', 'profiles.json')
}

/** It holds keys: a file that others can read is refused. Without a file there are no profiles. */
export function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return {}
  // Windows has no such modes.
  if ((stats.mode & 0o077) !== 0 && !env['APPDATA']) {
    throw new Refusal('unauthorized', `Others can read ${file}, which holds keys.`, `Run: chmod 600 ${file}`)
  }
  return parseProfiles(readFileSync(file, 'utf8'), file)
}

/** Whether a change takes away a key that is saved. A token ends by itself, and may go. */
export function losesKey(env: Environment, name: string, change: Profile): boolean {
  const before = readProfiles(env)[name]
  if (before?.apiKey === undefined) return false
  return moves(env, before, change) || (change.apiKey ?? before.apiKey) !== before.apiKey
}

/** A secret belongs to the address that it was saved for. */
const moves = (env: Environment, { url = localUrl(env) }: Profile, change: Profile): boolean =>
  change.url !== undefined && !isSameUrl(change.url, url)

/** `http://host` and `http://HOST/` are one address. */
export const isSameUrl = (one: string, other: string): boolean =>
  URL.parse(one)?.href === URL.parse(other)?.href

/** Changes one profile; another address drops its secrets, undefined removes it. The file is replaced as a whole, so no reader sees half of it. */
export function changeProfile(env: Environment, name: string, change: Profile | undefined): void {
  const file = profilesFile(env)
  const { [name]: saved = {}, ...others } = readProfiles(env)
  const before = change && moves(env, saved, change) ? {} : saved
  const profiles = change ? { ...others, [name]: { ...before, ...change } } : others
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.new`
  writeFileSync(fresh, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

function parseProfiles(text: string, file: string): Profiles {
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Refused below, like any other content.
  }
  throw new Refusal('usage', `${file} is not a JSON object of profiles.`, `Mend or remove ${file}.`)
}
