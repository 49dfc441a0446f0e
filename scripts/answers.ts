/**
 * Regenerates the recorded answers of a fresh sandbox: to the example of every endpoint
 * (contract/src/openapi/answers.ts), and to common mistakes (refusals.ts beside it).
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { answerBeforeApproval, answerToExample } from '../server/test/support/examples/answer-to-example.ts'
import { recordedRefusals } from '../server/test/support/examples/refusals-of-examples.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../contract/src/openapi/${name}`, import.meta.url))
const line = (name: string, answer: unknown) => `  ${name}: ${JSON.stringify(answer)},\n`

const lines = [line('awaitsApproval', await answerBeforeApproval())]
for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
  lines.push(line(name, await answerToExample(name)))
}
write(
  'answers.ts',
  `import type { EndpointName } from '../routes.ts'

/** Written by \`npm run openapi\`: what a fresh sandbox answers to the example of every endpoint. */
export const ANSWERS: Readonly<Record<EndpointName | 'awaitsApproval', unknown>> = {
${lines.join('')}}
`,
)
const { alike, of } = await recordedRefusals()
const rows = (refusals: object) =>
  Object.entries(refusals)
    .map(([name, refusal]) => line(JSON.stringify(name), refusal))
    .join('')
write(
  'refusals.ts',
  `import type { ErrorBody, ErrorCode } from '../errors.ts'
import type { EndpointName } from '../routes.ts'

/** Written by \`npm run openapi\`: what a fresh sandbox answers to usual mistakes at an endpoint. */
export const REFUSALS: Readonly<Record<EndpointName, { readonly [Code in ErrorCode]?: ErrorBody }>> = {
${rows(of)}}

/** The refusals that all endpoints share: by the kind of missing credential, and by status. */
export const COMMON_REFUSALS: Readonly<Record<string, ErrorBody>> = {
${rows(alike)}}
`,
)

function write(name: string, text: string): void {
  writeFileSync(fileOf(name), text)
  console.log(`Written: ${fileOf(name)}`)
}
