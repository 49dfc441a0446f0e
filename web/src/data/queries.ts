import type { Reply } from '@stakewright/client'
import { type Loaded, type Query, useQuery } from './query.ts'

/** Public answers that several pages show. Their periods together stay far below the limit per address. */
const NETWORK: Query<Reply<'network'>> = {
  key: 'network',
  ask: (client) => client.network(),
  everyMs: 30_000,
}
const EPOCH: Query<Reply<'epoch'>> = { key: 'epoch', ask: (client) => client.epoch(), everyMs: 10_000 }
const HEALTH: Query<Reply<'health'>> = { key: 'health', ask: (client) => client.health(), everyMs: 10_000 }
const PRICE: Query<Reply<'price'>> = { key: 'price', ask: (client) => client.price(), everyMs: 60_000 }
const SCORING: Query<Reply<'scoring'>> = { key: 'scoring', ask: (client) => client.scoring() }
const VALIDATORS: Query<Reply<'validators'>> = {
  key: 'validators',
  ask: (client) => client.validators(),
  everyMs: 15_000,
}
const NETWORK_HISTORY: Query<Reply<'apyHistory'>> = {
  key: 'apy-history',
  ask: (client) => client.apyHistory({ period: 'all', limit: 90 }),
  everyMs: 30_000,
}

export type Network = Reply<'network'>
export type Validator = Reply<'validators'>['data'][number]
export type HistoryPoint = Reply<'apyHistory'>['data'][number]
export type Histories = Reply<'validatorHistories'>
export type Scoring = Reply<'scoring'>

export const useNetwork = (): Loaded<Network> => useQuery(NETWORK)
export type Epoch = Reply<'epoch'>
export const useEpoch = (): Loaded<Epoch> => useQuery(EPOCH)
export const useHealth = (): Loaded<Reply<'health'>> => useQuery(HEALTH)
export const usePrice = (): Loaded<Reply<'price'>> => useQuery(PRICE)
export const useScoring = (): Loaded<Scoring> => useQuery(SCORING)
export const useValidators = (): Loaded<Reply<'validators'>> => useQuery(VALIDATORS)
export const useNetworkHistory = (): Loaded<Reply<'apyHistory'>> => useQuery(NETWORK_HISTORY)

/** For admins. */
export const useServiceStatus = (): Loaded<Reply<'serviceStatus'>['data']> =>
  useQuery({
    key: 'user/service',
    ask: async (client) => (await client.serviceStatus()).data,
    everyMs: 15_000,
  })

export const useHistories = (epochs: number): Loaded<Histories> =>
  useQuery({
    key: `histories/${epochs}`,
    ask: (client) => client.validatorHistories({ epochs }),
    everyMs: 60_000,
  })

export const useValidatorHistory = (id: string): Loaded<Reply<'validatorApyHistory'>> =>
  useQuery({
    key: `validator-history/${id}`,
    ask: (client) => client.validatorApyHistory({ id, period: 'all', limit: 90 }),
    everyMs: 30_000,
  })

export type ValidatorDetail = Reply<'validator'>

/** One validator, with the fields that the list leaves out. */
export const useValidatorDetail = (id: string): Loaded<ValidatorDetail> =>
  useQuery({ key: `validator/${id}`, ask: (client) => client.validator({ id }), everyMs: 30_000 })

export const useCommissionHistory = (id: string): Loaded<Reply<'validatorCommissionHistory'>> =>
  useQuery({
    key: `commission-history/${id}`,
    ask: (client) => client.validatorCommissionHistory({ id }),
    everyMs: 60_000,
  })

export const useAccuracy = (): Loaded<Reply<'accuracy'>> =>
  useQuery({ key: 'accuracy', ask: (client) => client.accuracy(), everyMs: 60_000 })
