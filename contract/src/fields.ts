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
    low: Percent.meta({ description: 'Percent per 365 days. One outcome in ten is expected below it.' }),
    high: Percent.meta({ description: 'Percent per 365 days. One outcome in ten is expected above it.' }),
    level: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Fraction of outcomes that are expected inside the range.', examples: [0.8] })
      .register(FIGURES, { figure: 'fraction' }),
    epochs: z
      .int()
      .min(1)
      .meta({
        description: 'The range is that of the mean APY of so many coming epochs.',
        examples: [7],
      }),
  })
  .meta({
    id: 'ApyRange',
    description: 'Range in which the APY is expected, from the errors of past projections on this network.',
  })
  .nullable()
  .meta({
    description: 'Range in which four of five outcomes are expected. Null while the history is too short.',
  })

export const Fraction = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Fraction from 0 to 1: 0.05 means 5%.', examples: [0.05] })
  .register(FIGURES, { figure: 'fraction' })

export const UptimeSource = z.enum(['epoch_rewards', 'simulation']).meta({
  id: 'UptimeSource',
  description:
    'How the uptime was measured. `epoch_rewards`: by the exchange rates, which show in which epochs the validator was in the committee and was rewarded, because no chain records an uptime. `simulation`: the simulated chain records in which epochs it performed.',
})
export const Score = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: 'Score from APY, uptime and commission, 0 to 100, one decimal.', examples: [87.5] })

export const ScoreComponents = z
  .object({
    apy: Fraction.meta({
      description:
        'Expected net yield compared with other validators, 0 to 1; single high epochs count little.',
    }),
    uptime: Fraction.meta({
      description:
        'Share of the last 30 epochs in which it performed, shrunk towards 95%, then rescaled: 0 = 90% or less, 1 = 100%.',
    }),
    commission: Fraction.meta({
      description:
        'From the highest commission of the last 30 epochs, of now or announced: 1 = none, 0 = 20% or more.',
    }),
    gate: Fraction.meta({
      description: 'Factor of the whole score: 0 = not eligible, below 1 = fewer than 10 epochs of history.',
    }),
  })
  .meta({ id: 'ScoreComponents', description: 'What the score is made of.' })

export const IneligibleReasons = z
  .array(z.string())
  .meta({ description: 'Why no stake may go to it, in sentences. Empty: it is eligible.' })

export const IsoTime = z.iso
  .datetime()
  .meta({ description: 'ISO-8601, UTC.', examples: ['2026-01-31T12:00:00.000Z'] })

export const Milliseconds = z.int().min(0).meta({ description: 'Milliseconds.' })

export const DataAge = z
  .number()
  .min(0)
  .meta({
    description: 'Seconds since the checkpoint of the chain that the answer is based on.',
    examples: [2],
  })

export const NextChangeAt = IsoTime.meta({
  description:
    'When the figures and rules are next due to change: the next committee is selected, or the epoch ends. Stakes of others may change them earlier; a time in the past means that the chain is late.',
})

export const HistoryComplete = z.boolean().meta({
  description:
    'False while past epochs are still being read, or while two nodes do not agree about them. At the first start, scores, APYs, uptimes and histories are missing until then, and projections use present data alone; after that, only the newest epochs are missing.',
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
  .meta({ description: 'One whole token is 10^decimals smallest units.', examples: [9] })

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
    .meta({ description: 'Only those with this text in name or id; case-insensitive.' }),
  minScore: numberFrom(0, 100).optional().meta({ description: 'Only those with at least this score.' }),
  maxCommission: numberFrom(0, 1)
    .optional()
    .meta({ description: 'Only those whose commission, present and announced, is at most this fraction.' }),
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
  description: 'The address that will sign; adds the chain SDK’s JSON to the answer.',
})

export const MomentInput = z.iso.datetime({ error: 'must be a moment such as 2026-01-31T12:00:00Z' })
