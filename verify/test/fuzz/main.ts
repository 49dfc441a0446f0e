/** `npm run fuzz -- MUTANTS SEED`: how many mutants of honest transactions the verifier accepts, and what they do. */
import { positiveNumber } from '../../../test/number-variable.ts'
import { fuzz } from './fuzz.ts'

const [mutants = '1000000', seed = '1'] = process.argv.slice(2)
const { harmful, ...counts } = await fuzz(positiveNumber('MUTANTS', mutants), Number(seed))
console.log(JSON.stringify({ seed: Number(seed), ...counts, harmful: harmful.length }))
for (const found of harmful.slice(0, 5)) console.log(found)
process.exitCode = harmful.length > 0 ? 1 : 0
