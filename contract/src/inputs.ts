import { z } from 'zod'

/** Schemas of inputs, with an error message for each way to get them wrong. */

export const wholeFrom = (least: number, most: number) =>
  bounded(z.int({ error: `must be a whole number from ${least} to ${most}` }), least, most)

export const numberFrom = (least: number, most: number) =>
  bounded(z.number({ error: `must be a number from ${least} to ${most}` }), least, most)

const bounded = <Schema extends z.ZodInt | z.ZodNumber>(schema: Schema, least: number, most: number) =>
  schema.min(least, { error: `must be at least ${least}` }).max(most, { error: `must be at most ${most}` })

export const textUpTo = (most: number) =>
  z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(most, { error: `must be at most ${most} characters` })

export const IdInput = textUpTo(128)

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
