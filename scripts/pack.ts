/** Packs the published packages into a folder: `npm run pack [-- FOLDER]`. They can be installed from there. */
import { join, resolve } from 'node:path'
import { packPackages } from './packages/pack-packages.ts'

const destination = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'packed'))
for (const file of await packPackages(destination)) console.log(file)
