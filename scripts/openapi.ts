/** Regenerates docs/openapi.json and python/stakewright.py from the contract. */
import { writeFileSync } from 'node:fs'
import { describedApi, OPENAPI_FILE } from './described-api.ts'

writeFileSync(OPENAPI_FILE, await describedApi())
console.log(`Written: ${OPENAPI_FILE}`)
await import('./python.ts')
