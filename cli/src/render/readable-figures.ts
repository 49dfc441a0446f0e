import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { figuresOf, type JsonSchema } from '@stakewright/contract/json-schema'
import { amountText, percentText, shareText, type Unit } from './figures.ts'
import { type Fields, isObject } from './generic-view.ts'

/** An answer with its figures as people read them: amounts in tokens, rates and fractions in percent. */
export function readableFigures(endpoint: EndpointName, reply: unknown): unknown {
  const { symbol, decimals } = isObject(reply) ? reply : {}
  const unit = typeof symbol === 'string' && typeof decimals === 'number' ? { symbol, decimals } : undefined
  return formatValue(reply, figuresOf(ENDPOINTS[endpoint]), { unit, siblings: {} })
}

type Context = { readonly unit: Unit | undefined; readonly siblings: Fields }

function formatValue(value: unknown, schema: JsonSchema, context: Context): unknown {
  const forms = formsOf(schema)
  if (Array.isArray(value)) {
    const items = forms.map((form) => form['items']).find(isObject) ?? {}
    return value.map((item) => formatValue(item, items, context))
  }
  if (!isObject(value)) return formatFigure(value, forms, context)
  const fields = Object.assign({}, ...forms.map((form) => form['properties']))
  const entries = Object.entries(value).map(([name, inner]) => {
    const field = fields[name]
    return [name, isObject(field) ? formatValue(inner, field, { ...context, siblings: value }) : inner]
  })
  return Object.fromEntries(entries)
}

/** A schema and what it may be instead: null, or one of several forms. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const others = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter(isObject)
  return [schema, ...others.flatMap(formsOf)]
}

function formatFigure(value: unknown, forms: readonly JsonSchema[], { unit, siblings }: Context): unknown {
  const figure = forms.map((form) => form['figure']).find((one) => one !== undefined)
  if (typeof value === 'number') {
    if (figure === 'percent') return percentText(value)
    return figure === 'fraction' ? shareText(value) : value
  }
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value
  if (figure === 'amount') return amountText(value, unit)
  if (figure === 'mist') return amountText(value, SUI)
  return figure === 'change' ? amountText(value, unitOfCoin(String(siblings['coinType']), unit)) : value
}

const SUI = { symbol: 'SUI', decimals: 9 }

/** The unit of a coin type, such as IKA for `0x…::ika::IKA`. Undefined for other coins: they are shown in smallest units. */
export const unitOfCoin = (coinType: string, unit: Unit | undefined): Unit | undefined =>
  [unit, SUI].find((one) => coinType.endsWith(`::${one?.symbol}`))
