import { type Client, createClient, type Reply, type StakewrightError } from '@stakewright/client'
import { ENDPOINTS, type Input, ROUTES } from '@stakewright/contract'
import { LIMITS } from '@stakewright/contract/limits'

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:3000', retries: 1 })
const input: Input<'allocate'> = { amount: '1', exclude: [] as readonly string[] }
export const split: Promise<Reply<'allocate'>> = client.allocate(input, { timeoutMs: LIMITS.requestMs })
export const names = client.validators().then(({ data }) => data.map(({ name }): string => name))
const parts = client.validators({ view: 'compact' })
// @ts-expect-error only the selected fields are there
export const uptimes = parts.then(({ data }) => data.map(({ uptime }): number | null => uptime))
// @ts-expect-error an amount is required
export const wrong = client.allocate({})
export const code = (error: StakewrightError): string => error.code
export const path: '/api/v1/staking/epoch' = ROUTES.epoch.path
export const checked: string = ENDPOINTS.allocate.body.parse({ amount: '1' }).amount
