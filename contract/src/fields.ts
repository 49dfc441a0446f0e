import { z } from 'zod'
import { ChainIdInput } from './chain-id.ts'
import { numberFrom, wholeFrom } from './inputs.ts'
import { APY_EPOCHS, LIMITS, TIER_NAMES } from './limits.ts'

/** Values that several endpoints share, each with its unit. */

const U64_MAX = 18_446_744_073_709_551_615n
/** The refusal of an amount in a wrong form. */
export const AMOUNT_FORM =
  'must be a string of digits, a whole number of smallest units up to 18446744073709551615, such as "1500000000" — no sign, point, comma, exponent, space or leading zero'

/** The kind of a figure, so that user interfaces can format it. */
export const FIGURES = z.registry<{ readonly figure: Figure }>()

/** `change`: a signed amount of the coin whose type is in the same object. */
export type Figure = 'amount' | 'mist' | 'change' | 'percent' | 'fraction'

export const Amount = z
  .string({ error: AMOUNT_FORM })
  .regex(/^(0|[1-9][0-9]{0,19})$/, { error: AMOUNT_FORM })
  .refine((text) => !/^[0-9]{20}$/.test(text) || BigInt(text) <= U64_MAX, { error: AMOUNT_FORM })
  .meta({
    id: 'Amount',
    description: 'Whole number of the token’s smallest units, as a string. At most 2^64−1.',
    examples: ['1500000000'],
  })
  .register(FIGURES, { figure: 'amount' })

export const Percent = z
  .number()
  .meta({ description: 'Percent per 365 days: 8.2 means 8.2%.', examples: [8.2] })
  .register(FIGURES, { figure: 'percent' })

/** The APY that a validator is quoted with. */
export const ValidatorApy = Percent.nullable().meta({
  description: `Percent per 365 days, net of commission: the lower of its means over the last ${APY_EPOCHS.short} and the last ${APY_EPOCHS.long} completed epochs, missed ones included. Null: no history yet.`,
})

export const ApyRange = z
  .object({
    low: Percent.meta({ description: 'One outcome in ten is expected below it.' }),
    high: Percent.meta({ description: 'One outcome in ten is expected above it.' }),
    level: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'The share of outcomes expected inside.', examples: [0.8] })
      .register(FIGURES, { figure: 'fraction' }),
    epochs: z
      .int()
      .min(1)
      .meta({
        description: 'The number of coming epochs over whose mean the range is given.',
        examples: [7],
      }),
  })
  .meta({
    id: 'ApyRange',
    description: "Where the APY is expected to lie, from how this network's past projections turned out.",
  })
  .nullable()
  .meta({ description: 'Where four of five outcomes are expected. Null while the history is too short.' })

export const Fraction = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Fraction from 0 to 1: 0.05 means 5%.', examples: [0.05] })
  .register(FIGURES, { figure: 'fraction' })

export const UptimeSource = z.enum(['epoch_rewards', 'simulation']).meta({
  id: 'UptimeSource',
  description:
    'What the uptime was told by. `epoch_rewards`: no chain keeps an uptime; the exchange rates show in which epochs the validator was in the committee and was rewarded. `simulation`: the simulated chain knows who did its duty.',
})
export const Score = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: 'Composite of APY, uptime and commission, 0 to 100, one decimal.', examples: [87.5] })

export const ScoreComponents = z
  .object({
    apy: Fraction.meta({ description: 'Net yield against the field, robust to spikes, 0 to 1.' }),
    uptime: Fraction.meta({ description: 'Share of epochs performed, shrunk and stretched to 0…1.' }),
    commission: Fraction.meta({
      description: 'Highest commission lately or announced, 1 = none, 0 = 20% or more.',
    }),
    gate: Fraction.meta({ description: 'Factor for eligibility and length of history; 0 excludes.' }),
  })
  .meta({ id: 'ScoreComponents', description: 'What the score is made of.' })

export const IneligibleReasons = z
  .array(z.string())
  .meta({ description: 'Why it may not be chosen; empty when it may.' })

export const IsoTime = z.iso
  .datetime()
  .meta({ description: 'ISO-8601, UTC.', examples: ['2026-01-31T12:00:00.000Z'] })

export const Milliseconds = z.int().min(0).meta({ description: 'Milliseconds.' })

export const DataAge = z
  .number()
  .min(0)
  .meta({ description: 'Seconds since the chain’s own checkpoint that the answer rests on.', examples: [2] })

export const NextChangeAt = IsoTime.meta({
  description:
    'When the figures and rules are next due to change: the next committee is selected, or the epoch ends. Stakes of others may change them before; a time in the past means that the chain is late.',
})

export const HistoryComplete = z.boolean().meta({
  description:
    'False as long as past epochs are still being read, or two nodes do not yet say the same about them. On a first start scores, APYs, uptimes and histories are missing until then, and projections rest on the present alone; later the last epochs are.',
})

export const ValidatorName = z
  .string()
  .meta({ description: 'Name that the validator gave itself; not unique.', examples: ['Meridian'] })

export const NetworkName = z.string().meta({ description: 'Name of the network.', examples: ['sandbox'] })

export const TokenSymbol = z.string().meta({ description: 'Symbol of the token.', examples: ['SBX'] })

export const Decimals = z
  .int()
  .min(0)
  .max(36)
  .meta({ description: 'A whole token has 10 to this power smallest units.', examples: [9] })

/** The unit of an answer's amounts, so that every answer is readable on its own. */
export const tokenUnit = { symbol: TokenSymbol, decimals: Decimals }

export const ScoreVersion = z
  .string()
  .meta({ description: 'Version of the scoring rules; scores of different versions do not compare.' })

export const EpochNumber = z
  .int()
  .min(0)
  .meta({ description: 'Number of an epoch.', examples: [412] })

export const ValidatorStatus = z.enum(['candidate', 'pending', 'active', 'leaving', 'inactive']).meta({
  description:
    'candidate: registered, outside the committee · pending: joins soon · active: in the committee · leaving: in it for the last time · inactive: out of it.',
})

export const validatorFilters = {
  search: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only those with this text in name or id, in any case.' }),
  minScore: numberFrom(0, 100).optional().meta({ description: 'Only those with at least this score.' }),
  maxCommission: numberFrom(0, 1)
    .optional()
    .meta({ description: 'Only those that take at most this fraction now and as announced.' }),
}

export const TierName = z.enum(TIER_NAMES).meta({ description: 'Tier of an API key.' })

export const RateLimits = z
  .strictObject({
    rpm: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta({ description: 'Requests per UTC minute.', examples: [10] }),
    rpd: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .meta({ description: 'Requests per UTC day.', examples: [100] }),
  })
  .meta({ id: 'RateLimits', description: 'Requests per minute and per day.' })

export const PageQuery = z.object({
  cursor: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: '`nextCursor` of the previous page; all other parameters unchanged.' }),
  limit: wholeFrom(1, LIMITS.pageSize.max)
    .default(LIMITS.pageSize.default)
    .meta({ description: 'Items on a page.' }),
})

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass it as `cursor` to get the next page; null on the last one.' })

export const EmailAddress = z
  .string()
  .max(254, { error: 'must be at most 254 characters' })
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$/,
    { error: 'must be a plain e-mail address such as agent@example.com' },
  )
  .refine((text) => text.indexOf('@') <= 64, { error: 'must have at most 64 characters before the @' })
  .meta({ description: 'A plain e-mail address in ASCII.', examples: ['agent@example.com'] })

export const Sender = ChainIdInput.meta({
  description: 'The address that will sign. With it the answer also carries the chain SDK’s own JSON.',
})

export const MomentInput = z.iso.datetime({ error: 'must be a moment such as 2026-01-31T12:00:00Z' })
