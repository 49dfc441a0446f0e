import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/

/** The licences of the packages that contain these files, which a redistribution must include. */
export function licencesOf(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []))
  return [...folders].sort().map(licenceOf).join('\n\n')
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const texts = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: join(ROOT, folder) })
  const whole = texts.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...whole].join('\n\n')
}
