/** Writes docs/openapi.json anew from the contract. */
import { writeFileSync } from 'node:fs'
import { describedApi, OPENAPI_FILE } from './described-api.ts'

writeFileSync(OPENAPI_FILE, await describedApi())
console.log(`Written: ${OPENAPI_FILE}`)
