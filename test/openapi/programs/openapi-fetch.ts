/** Calls the service through openapi-fetch, typed by what openapi-typescript generated beside this file. */
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

const baseUrl = String(process.env['BASE_URL'])
const headers = { 'X-API-Key': String(process.env['API_KEY']) }
const { GET, POST } = createClient<paths>({ baseUrl })

const { data: set } = await GET('/api/v1/staking/validators')
const id: string = set?.data[0]?.id ?? 'none'
const { data: one } = await GET('/api/v1/staking/validators/{id}', { params: { path: { id } } })
const body = { amount: '9000000000000', maxValidators: 3, exclude: [id] }
const { data: split } = await POST('/api/v1/staking/agent/allocate', { body, headers })
const amounts: string[] = split?.allocations.map(({ amount }) => amount) ?? []
const refused = await POST('/api/v1/staking/agent/allocate', { body: { amount: 'much' }, headers })
const problem: components['schemas']['Error'] | undefined = refused.error

// @ts-expect-error The generated types know that `amount` is required.
const incomplete = await POST('/api/v1/staking/agent/allocate', { body: { maxValidators: 3 }, headers })

console.log(
  JSON.stringify({
    isFound: one?.id === id,
    isExcluded: split?.allocations.every(({ validatorId }) => validatorId !== id),
    sum: String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)),
    problem: { error: problem?.error, field: problem?.details?.[0]?.field },
    incomplete: incomplete.response.status,
  }),
)
