import assert from 'node:assert/strict'
import type { Mcp } from './mcp-client.ts'

type Fields = Readonly<Record<string, unknown>>
type Tool = {
  readonly name: string
  readonly takes: readonly string[]
  readonly needs: readonly string[]
  readonly gives: ReadonlySet<string>
}

/**
 * An agent that knows no tool by name. It starts with a few facts, such as its address, and gets everything else from
 * `tools/list` and from answers: it fills a required field by calling the tool whose answer has it, and follows
 * refusals that name the tool to call first.
 */
export async function openToolReader(mcp: Mcp, own: Fields) {
  const tools = (await mcp.client.listTools()).tools.map(toTool)
  const learned = new Map<string, unknown>()
  const calls: string[] = []
  const facts: Record<string, unknown> = { ...own }
  const known = (field: string): unknown => learned.get(field) ?? facts[field]
  const isKnown = (field: string): boolean => known(field) !== undefined

  async function call(tool: Tool): Promise<Fields> {
    assert(calls.length < MAX_CALLS, `lost after ${calls.join(', ')}`)
    for (const field of tool.needs) if (!isKnown(field)) await call(toolFor([field]))
    const taken = tool.takes.filter((field) => tool.needs.includes(field) || field in facts)
    const given = Object.fromEntries(taken.map((field) => [field, known(field)]))
    calls.push(tool.name)
    const { isError, text, data } = await mcp.call(tool.name, given)
    if (!isError) {
      remember(data, learned)
      return data
    }
    const [, leadsTo, gives = ''] = /call (\w+), then pass its (\w+) as the argument \2/.exec(text) ?? []
    const first = tools.find(({ name }) => name === leadsTo)
    assert(first && !isKnown(gives), `${tool.name} ${JSON.stringify(given)}: ${text}`)
    await call(first)
    facts[gives] = learned.get(gives)
    return call(tool)
  }

  /** Of the tools that answer with these fields, the one with most of its required fields known. */
  function toolFor(fields: readonly string[]): Tool {
    const knownNeeds = ({ needs }: Tool) => needs.filter(isKnown).length
    const fitting = tools.filter(({ gives, needs }) => {
      return fields.every((field) => gives.has(field)) && !fields.some((field) => needs.includes(field))
    })
    const [best] = fitting.toSorted(
      (a, b) => knownNeeds(b) - knownNeeds(a) || a.needs.length - b.needs.length,
    )
    assert(best, `no tool gives ${fields.join(', ')}`)
    return best
  }

  return {
    calls,
    /** Calls the tool that answers with these fields. */
    find: (...fields: readonly string[]) => call(toolFor(fields)),
    /** Calls the tool that requires these fields, after the tools that provide them. */
    use: async (...fields: readonly string[]) => {
      const tool = tools.find(({ needs }) => fields.every((field) => needs.includes(field)))
      assert(tool, `no tool needs ${fields.join(', ')}`)
      return call(tool)
    },
    /** Adds a fact that the agent has computed. */
    know: (field: string, value: unknown) => (facts[field] = value),
  }
}

const MAX_CALLS = 12

function toTool({
  name,
  inputSchema,
  outputSchema,
}: Awaited<ReturnType<Mcp['client']['listTools']>>['tools'][number]): Tool {
  return {
    name,
    takes: Object.keys(inputSchema.properties ?? {}),
    needs: inputSchema.required ?? [],
    gives: fieldsIn(outputSchema),
  }
}

/** The names of all fields of an answer, including nested ones and those of list items. */
function fieldsIn(schema: unknown): ReadonlySet<string> {
  const { properties = {}, items } = schema as { readonly properties?: object; readonly items?: object }
  const inner = [...Object.values(properties), items].filter((value) => typeof value === 'object')
  return new Set([...Object.keys(properties), ...inner.flatMap((value) => [...fieldsIn(value)])])
}

/** Stores the first value of each field in the answer, at any depth. */
function remember(value: unknown, learned: Map<string, unknown>, seen = new Set<string>()): void {
  if (typeof value !== 'object' || value === null) return
  for (const [field, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !seen.has(field)) learned.set(field, inner)
    if (!Array.isArray(value)) seen.add(field)
    remember(inner, learned, seen)
  }
}
