/** Regenerates python/stakewright.py from the contract. */
import { writeFileSync } from 'node:fs'
import { PYTHON_FILE, pythonModule } from './python/python-module.ts'

writeFileSync(PYTHON_FILE, pythonModule())
console.log(`Written: ${PYTHON_FILE}`)
