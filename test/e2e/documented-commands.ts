import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Shown = { readonly kind: 'text' | 'json'; readonly output: string }

/** A block of commands in a Markdown file with its documented output. */
export type Step = {
  /** The line in the file, counted from 1. */
  readonly line: number
  readonly commands: string
  readonly expected: Shown | undefined
}

type Fence = { readonly language: string; readonly line: number; readonly content: string }

/**
 * The `sh` and `ts` blocks of a Markdown file, in order. A `json` or `text` block directly after one, with only blank
 * lines between, is its output. Blocks of other languages, such as `console`, are not run.
 */
export function readSteps(markdown: string): readonly Step[] {
  const fences = readFences(markdown)
  return fences.flatMap(({ language, line, content }, index) => {
    if (language !== 'sh' && language !== 'ts') return []
    const next = fences[index + 1]
    const isOutput =
      next !== undefined && isRightBehind(markdown, line + content.split('\n').length, next.line)
    const kind = isOutput ? outputKind(next.language) : undefined
    const commands = language === 'ts' ? runByNode(content) : content
    return [{ line, commands, expected: kind && { kind, output: next?.content ?? '' } }]
  })
}

/** A shell command that runs the program; its imports resolve from the shell's folder. */
const runByNode = (program: string): string =>
  `"$NODE" --input-type=module-typescript - <<'END OF PROGRAM'\n${program}\nEND OF PROGRAM`

function readFences(markdown: string): readonly Fence[] {
  const lineAt = (index: number) => markdown.slice(0, index).split('\n').length
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(
    ({ index, 1: language = '', 2: content = '' }) => ({
      language,
      line: lineAt(index) + 1,
      content,
    }),
  )
}

function isRightBehind(markdown: string, endLine: number, startLine: number): boolean {
  const between = markdown.split('\n').slice(endLine, startLine - 2)
  return between.every((line) => line.trim() === '')
}

const outputKind = (language: string) => (language === 'json' || language === 'text' ? language : undefined)

/** Whether an output matches the documented one: `…` matches any text, and spaces in JSON are ignored. */
export function isAsShown(output: string, { kind, output: shown }: Shown): boolean {
  const normalize = (text: string) => (kind === 'json' ? text.replaceAll(/\s/g, '') : text.trim())
  const pattern = normalize(shown)
    .split('…')
    .map((part) => RegExp.escape(part))
    .join('[^]*?')
  return new RegExp(`^${pattern}$`).test(normalize(output))
}

export type Shell = AsyncDisposable & {
  /** Runs commands in the same shell as the previous ones; resolves with their output and exit code. */
  run(commands: string): Promise<{ readonly output: string; readonly code: number }>
}

const END = 'end of the step, exit code'

/** One bash for a whole file, so that later blocks can use the variables of earlier ones. */
export function openShell(env: Readonly<Record<string, string>>, folder: string): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    env,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = new Promise((resolve) => bash.on('close', resolve))
  const lines = createInterface({ input: bash.stdout })[Symbol.asyncIterator]()
  return {
    async run(commands) {
      // The shell reads commands from its standard input, so the commands themselves must not read from it.
      bash.stdin.write(`{\n${commands}\n} < /dev/null\ncode=$?; echo; echo "${END} $code"\n`)
      const output: string[] = []
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        const code = next.value.startsWith(END) ? Number(next.value.slice(END.length)) : undefined
        if (code !== undefined) return { output: output.join('\n'), code }
        output.push(next.value)
      }
      throw new Error(`the shell ended in the middle of:\n${commands}`)
    },
    async [Symbol.asyncDispose]() {
      bash.stdin.end()
      await closed
    },
  }
}
