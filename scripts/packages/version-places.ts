import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Hand-written files that name the version; generated ones follow by `npm run openapi`. */
const PLACES: readonly { readonly files: string; readonly patterns: readonly RegExp[] }[] = [
  { files: '{.,*,test/openapi}/package.json', patterns: [/^ {2}"version": "(?<version>[^"]+)"/gm] },
  { files: '{server,client,cli,web}/package.json', patterns: [/"@stakewright\/\w+": "(?<version>[^"]+)"/g] },
  {
    files: 'package-lock.json',
    patterns: [
      /"@stakewright\/\w+": "(?<version>[^"]+)"/g,
      /"name": "@?stakewright[/\w-]*",\s+"version": "(?<version>[^"]+)"/g,
    ],
  },
  { files: 'server.json', patterns: [/"version": "(?<version>[^"]+)"/g] },
  { files: 'ops/kubernetes/stakewright.yaml', patterns: [/image: stakewright:(?<version>\S+)/g] },
  { files: 'docs/tutorial.md', patterns: [/"version": "(?<version>[^"]+)"/g] },
]

export type NamedVersion = { readonly file: string; readonly version: string }

/** Every place below the folder that names the version. Throws if a pattern matches nothing. */
export function findVersions(root: string): readonly NamedVersion[] {
  return placesIn(root).flatMap(({ file, text, patterns }) =>
    patterns.flatMap((pattern) => {
      const found = [...text.matchAll(pattern)].map(({ groups }) => ({
        file,
        version: groups?.['version'] ?? '',
      }))
      if (found.length === 0) throw new Error(`${file} names no version as ${pattern.source} has it.`)
      return found
    }),
  )
}

/** Writes the version into all places of `findVersions`. */
export function writeVersion(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    throw new Error('A version is three numbers, such as 1.2.3.')
  for (const { file, patterns } of placesIn(root)) {
    for (const pattern of patterns) {
      // The patterns of a file may overlap, so each one reads the file again.
      const text = readFileSync(join(root, file), 'utf8')
      writeFileSync(
        join(root, file),
        text.replace(pattern, (found, old: string) =>
          found.replace(new RegExp(`${RegExp.escape(old)}(?="?$)`), version),
        ),
      )
    }
  }
}

function placesIn(root: string) {
  return PLACES.flatMap(({ files, patterns }) =>
    globSync(files, { cwd: root })
      .toSorted()
      .map((file) => ({ file, patterns, text: readFileSync(join(root, file), 'utf8') })),
  )
}
