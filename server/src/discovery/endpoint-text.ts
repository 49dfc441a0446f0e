import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  httpDescription,
  ROUTES,
} from '@stakewright/contract'
import {
  boundsInWords,
  headersJsonSchema,
  inputJsonSchema,
  type JsonSchema,
  replyJsonSchema,
  waitingJsonSchema,
} from '@stakewright/contract/json-schema'

const CREDENTIAL = {
  none: 'no credential',
  'agent-key': 'header X-API-Key',
  'user-token': 'header Authorization: Bearer <user token>',
} as const

/** One line for an index: method, path, purpose and the names of the inputs. */
export const endpointLine = (name: EndpointName): string => {
  const { method, path, auth } = ROUTES[name]
  return `- \`${method} ${path}\` (\`${name}\`, ${CREDENTIAL[auth]}): ${ENDPOINTS[name].summary}${inputNames(name)}`
}

/** Upper bound of optional fields in a line. */
const MAX_OPTIONAL = 3

/** The inputs without those in the path. */
function inputNames(name: EndpointName): string {
  const { properties, required } = inputJsonSchema(ENDPOINTS[name])
  const { oneOf = [] }: EndpointSpec = ENDPOINTS[name]
  const needed = [...(Array.isArray(required) ? required : []), ...oneOf]
  const given = Object.keys(toSchemas(properties)).filter((each) => !ROUTES[name].path.includes(`{${each}}`))
  const optional = given.filter((each) => !needed.includes(each))
  const names = [
    ...given.filter((each) => needed.includes(each) && !oneOf.includes(each)).map((each) => `\`${each}\``),
    ...(oneOf.length > 0 ? [oneOf.map((each) => `\`${each}\``).join(' or ')] : []),
    ...optional.slice(0, MAX_OPTIONAL).map((each) => `\`${each}\`?`),
    ...(optional.length > MAX_OPTIONAL ? ['…'] : []),
  ]
  return names.length === 0 ? '' : ` — ${names.join(', ')}`
}

/** The complete description of an endpoint, as short as its schemas allow. */
export function endpointText(name: EndpointName): string {
  const { method, path, auth } = ROUTES[name]
  const spec: EndpointSpec = ENDPOINTS[name]
  return [
    `### ${method} ${path} (\`${name}\`)`,
    '',
    `${spec.summary} (${CREDENTIAL[auth]}). ${httpDescription(spec)}`,
    '',
    ...fieldLines('Input', inputJsonSchema(spec), 'with forms'),
    ...fieldLines('Headers', headersJsonSchema(spec) ?? {}),
    ...fieldLines(`Answer (${spec.status ?? 200})`, replyJsonSchema(spec)),
    ...fieldLines('Answer (202), when the owner must approve first', waitingJsonSchema(spec) ?? {}),
  ].join('\n')
}

/** Alternatives of unions are listed for inputs only; in answers they would repeat long text. */
export function fieldLines(title: string, schema: JsonSchema, forms?: 'with forms'): readonly string[] {
  const fields = fieldsOf(schema, '', forms)
  return fields.length === 0 ? [] : [`${title}:`, ...fields, '']
}

/** Lists nested fields by path: `data[].id`. */
function fieldsOf(schema: JsonSchema, prefix: string, forms: 'with forms' | undefined): readonly string[] {
  const properties = toSchemas(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const { type, inner, suffix } = shapeOf(field)
    const within = `${path}${suffix}`
    const bounds = boundsInWords(field)
    const bounded = bounds === undefined ? '' : `, ${bounds}`
    const optional = required.includes(name) ? '' : ', optional'
    const fallback = field['default'] === undefined ? '' : `, default ${JSON.stringify(field['default'])}`
    const description = typeof field['description'] === 'string' ? `: ${field['description']}` : ''
    return [
      `- \`${within}\` ${type}${bounded}${optional}${fallback}${description}`,
      ...fieldsOf(inner, `${within}.`, forms),
      ...(forms ? formsOf(inner).flatMap((form) => formLines(form, within)) : []),
    ]
  })
}

/** The alternatives of a union of objects; empty if there is only one. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const choices = schema['anyOf'] ?? schema['oneOf']
  const objects = Array.isArray(choices) ? choices.filter(isSchema).filter((form) => form['properties']) : []
  return objects.length > 1 ? objects : []
}

const formLines = (form: JsonSchema, path: string): readonly string[] => [
  `- \`${path}\` in one of its forms:`,
  ...fieldsOf(form, `${path}.`, 'with forms').map((line) => `  ${line}`),
]

function shapeOf(field: JsonSchema): {
  readonly type: string
  readonly inner: JsonSchema
  readonly suffix: string
} {
  const items = field['items']
  if (isSchema(items)) return { type: `array of ${shapeOf(items).type}`, inner: items, suffix: '[]' }
  const values = field['enum'] ?? (field['const'] === undefined ? undefined : [field['const']])
  if (Array.isArray(values))
    return { type: values.map((value) => JSON.stringify(value)).join(' | '), inner: {}, suffix: '' }
  const choices = field['anyOf'] ?? field['oneOf']
  if (Array.isArray(choices)) {
    const shapes = choices.filter(isSchema).map(shapeOf)
    const [only] = choices.filter(isSchema).filter(({ type }) => type !== 'null')
    const inner = choices.length === 2 && only !== undefined ? only : {}
    return { type: [...new Set(shapes.map(({ type }) => type))].join(' | '), inner, suffix: '' }
  }
  const { type = 'any JSON' } = field
  return { type: [type].flat().join(' | '), inner: field, suffix: '' }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toSchemas = (value: unknown): Readonly<Record<string, JsonSchema>> =>
  isSchema(value) ? (value as Readonly<Record<string, JsonSchema>>) : {}
