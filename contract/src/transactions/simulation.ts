import { z } from 'zod'
import { Amount, FIGURES } from '../fields.ts'

const count = (what: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `How many staked tokens it ${what}.` })

/** Gas is paid in MIST on every network. */
const Mist = Amount.meta({ description: 'In MIST: 10^9 of them are 1 SUI.' }).register(FIGURES, {
  figure: 'mist',
})

const Effects = z
  .object({
    balances: z
      .array(
        z.object({
          coinType: z.string().meta({ description: 'Move type of the coin.' }),
          change: z
            .string()
            .regex(/^-?[0-9]+$/)
            .meta({ description: 'Smallest units gained; with a minus: spent.' })
            .register(FIGURES, { figure: 'change' }),
        }),
      )
      .meta({ description: 'Balance changes of the sender’s coins, gas included.' }),
    stakedTokens: z
      .object({ created: count('makes'), changed: count('changes'), removed: count('uses up') })
      .meta({ description: 'Changes of staked tokens.' }),
  })
  .meta({ id: 'SimulatedEffects', description: 'What it would do.' })

export const Simulation = z
  .object({
    status: z.enum(['success', 'aborted', 'failed', 'unavailable']).meta({
      description:
        'What the chain says that would happen now. aborted: the contract refuses · failed: something else does, such as missing coins · unavailable: no node has simulated it, and `reason` says why.',
    }),
    gas: Mist.nullable().meta({
      description:
        'What it would cost in MIST, after the storage rebate, also when the contract refuses it. Null: it is not executed, or the node does not say.',
    }),
    effects: Effects.nullable().meta({ description: 'Null unless it succeeds.' }),
    abort: z
      .object({
        module: z.string().meta({ description: 'Module that aborts.' }),
        code: z.int().meta({ description: 'Its abort code.' }),
        name: z.string().nullable().meta({ description: 'Its own word for the code, if known.' }),
      })
      .optional()
      .meta({ description: 'Where the contract refuses.' }),
    reason: z.string().optional().meta({ description: 'In plain words, unless it succeeds.' }),
  })
  .meta({ id: 'Simulation', description: 'The transaction, executed without keeping what it did.' })
