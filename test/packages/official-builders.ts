import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Transaction } from '@mysten/sui/transactions'

/**
 * Transaction builders that the makers of Ika and Walrus generate from their Move sources. They are internal files of
 * the published packages, which do not export them.
 */
export type Builder = (options: {
  readonly package: string
  readonly arguments: readonly unknown[]
}) => (tx: Transaction) => ReturnType<Transaction['moveCall']>
export type Builders = Readonly<Record<string, Builder>>

export const innerFile = <T>(packageName: string, path: string): Promise<T> =>
  import(new URL(path, import.meta.resolve(packageName)).href)

/** The builders of the system, plus `join` and `split` of the staked token. */
export async function ikaBuilders(): Promise<Builders> {
  const [system, token] = await Promise.all(
    ['system', 'staked_ika'].map((name) =>
      innerFile<Builders>('@ika.xyz/sdk', `generated/ika_system/${name}.js`),
    ),
  )
  const ofToken = (name: string) => token?.[name] ?? assert.fail(`the SDK has ${name}`)
  return { ...system, join: ofToken('join'), split: ofToken('split') }
}

/** Taken from the source map: the bundle lacks the builders that the client does not use. */
export async function walrusBuilders(): Promise<Builders> {
  const module = new URL('contracts/walrus/staking.mjs', import.meta.resolve('@mysten/walrus'))
  const { sourcesContent } = JSON.parse(await readFile(`${fileURLToPath(module)}.map`, 'utf8'))
  const resolved = stripTypeScriptTypes(String(sourcesContent[0])).replaceAll(
    /from '([^']+)'/g,
    (_, specifier: string) => {
      const url = specifier.startsWith('.')
        ? new URL(specifier.replace(/\.js$/, '.mjs'), module).href
        : import.meta.resolve(specifier)
      return `from '${url}'`
    },
  )
  return import(`data:text/javascript;base64,${Buffer.from(resolved).toString('base64')}`)
}
