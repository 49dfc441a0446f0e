import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const TOKENS = readFileSync(new URL('../src/style/tokens.css', import.meta.url), 'utf8')
const SERIES = 6
/** Differences below 10 are missed at a glance; this has a margin. */
const MIN_DIFFERENCE = 18
const MIN_CONTRAST = 4

type Three = readonly [number, number, number]

/** Simulates vision without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1), in linear RGB. */
const VISIONS: Readonly<Record<string, readonly [Three, Three, Three]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** The values that a token has: in the light theme and in the dark one. */
const valuesOf = (name: string) =>
  new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(TOKENS)?.slice(1) ?? []

const channel = (colour: string, at: number): number => {
  const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const toLinear = (colour: string): Three => [channel(colour, 1), channel(colour, 3), channel(colour, 5)]
const dot = (row: Three, [r, g, b]: Three): number => row[0] * r + row[1] * g + row[2] * b
const within = (value: number): number => Math.min(1, Math.max(0, value))

function toLab(linear: Three, [red, green, blue]: readonly [Three, Three, Three]): Three {
  const seen: Three = [within(dot(red, linear)), within(dot(green, linear)), within(dot(blue, linear))]
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = root(dot([0.4124, 0.3576, 0.1805], seen) / 0.95047)
  const y = root(dot([0.2126, 0.7152, 0.0722], seen))
  const z = root(dot([0.0193, 0.1192, 0.9505], seen) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const light = (colour: string): number => dot([0.2126, 0.7152, 0.0722], toLinear(colour)) + 0.05
const contrast = (a: string, b: string): number => Math.max(light(a), light(b)) / Math.min(light(a), light(b))

const THEMES = ['light', 'dark']
for (const [index, theme] of THEMES.entries()) {
  const colours = Array.from({ length: SERIES }, (_, at) => valuesOf(`series-${at + 1}`)[index] ?? '')
  const ground = valuesOf('surface')[index] ?? ''

  test(`${theme}: plot colours are distinguishable with every kind of colour vision`, () => {
    for (const [vision, matrix] of Object.entries(VISIONS)) {
      const seen = colours.map((colour) => toLab(toLinear(colour), matrix))
      seen.forEach((one, at) => {
        seen.slice(0, at).forEach((other, before) => {
          const difference = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
          assert(
            difference >= MIN_DIFFERENCE,
            `${vision}: ${colours[before]} and ${colours[at]} differ by ${difference.toFixed(1)}`,
          )
        })
      })
    }
  })

  test(`${theme}: plot colours have enough contrast with the background`, () => {
    for (const colour of colours) assert(contrast(colour, ground) >= MIN_CONTRAST, colour)
  })
}
