/** Writes a version into every file that names one: `npm run set-version -- 1.2.3`. */
import { join } from 'node:path'
import { findVersions, writeVersion } from './packages/version-places.ts'

const ROOT = join(import.meta.dirname, '..')

const [version = ''] = process.argv.slice(2)
writeVersion(ROOT, version)
console.log(
  `${findVersions(ROOT).length} places name ${version} now. Run npm run openapi for what is generated.`,
)
