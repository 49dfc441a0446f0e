/** Writes contract/src/openapi/answers.ts anew: what a fresh sandbox answers to the example of every endpoint. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { answerBeforeApproval, answerToExample } from '../server/test/support/examples/answer-to-example.ts'

const FILE = fileURLToPath(new URL('../contract/src/openapi/answers.ts', import.meta.url))
const line = (name: string, answer: unknown) => `  ${name}: ${JSON.stringify(answer)},\n`

const lines = [line('awaitsApproval', await answerBeforeApproval())]
for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
  lines.push(line(name, await answerToExample(name)))
}
writeFileSync(
  FILE,
  `import type { EndpointName } from '../routes.ts'

/** Written by \`npm run openapi\`: what a fresh sandbox answers to the example of every endpoint. */
export const ANSWERS: Readonly<Record<EndpointName | 'awaitsApproval', unknown>> = {
${lines.join('')}}
`,
)
console.log(`Written: ${FILE}`)
