/** Calls the service through the client that @hey-api/openapi-ts generated beside this file. */
import { client } from './generated/client.gen.ts'
import { allocate, validator, validators } from './generated/sdk.gen.ts'
import type { Error as ErrorBody } from './generated/types.gen.ts'

client.setConfig({ baseUrl: String(process.env['BASE_URL']), auth: String(process.env['API_KEY']) })

const { data: set } = await validators()
const id: string = set?.data[0]?.id ?? 'none'
const { data: one } = await validator({ path: { id } })
const { data: split } = await allocate({ body: { amount: '9000000000000', maxValidators: 3, exclude: [id] } })
const amounts: string[] = split?.allocations.map(({ amount }) => amount) ?? []
const refused = await allocate({ body: { amount: 'much' } })
const problem: ErrorBody | undefined = refused.error

// @ts-expect-error The generated types know that `amount` is required.
const incomplete = await allocate({ body: { maxValidators: 3 } })

console.log(
  JSON.stringify({
    isFound: one?.id === id,
    isExcluded: split?.allocations.every(({ validatorId }) => validatorId !== id),
    sum: String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)),
    problem: { error: problem?.error, field: problem?.details?.[0]?.field },
    incomplete: incomplete.response?.status,
  }),
)
