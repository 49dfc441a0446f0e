/** A program of a user of the packed client: `node call-service.mjs URL`. Prints one JSON line. */
import { createClient, StakewrightError } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract'

const [baseUrl] = process.argv.slice(2)
const { data } = await createClient({ baseUrl }).sandboxKey({ agentName: `node ${process.version}` })
let remaining
const client = createClient({
  baseUrl,
  apiKey: data.apiKey,
  onAnswer: ({ rateLimit }) => {
    remaining = rateLimit?.remaining
  },
})
const { allocations } = await client.allocate({ amount: '10000000000000000', maxValidators: 2 })
const refused = await client.buildStake({ validatorId: '0x1', amount: '1' }).catch((error) => error)
console.log(
  JSON.stringify({
    version: process.version,
    routes: Object.keys(ROUTES).length,
    allocations: allocations.length,
    remaining,
    refused: refused instanceof StakewrightError ? refused.code : String(refused),
  }),
)
