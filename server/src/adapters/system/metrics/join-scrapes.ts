/** The metrics text of one worker process. */
export type Scrape = { readonly worker: number; readonly text: string }

type Family = { readonly head: string[]; readonly samples: string[] }

const HEAD = /^# (?:HELP|TYPE) (?<name>\w+) /
const SAMPLE = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/

/**
 * Merges the metrics of several processes into one text; a label tells the processes apart. Adding samples up would be
 * wrong after a restart of one process: Prometheus can detect such a counter reset only in a separate series.
 */
export function joinScrapes(scrapes: readonly Scrape[]): string {
  const families = new Map<string, Family>()
  for (const { worker, text } of scrapes) {
    let family: Family = { head: [], samples: [] }
    for (const line of text.split('\n')) {
      const name = HEAD.exec(line)?.groups?.['name']
      if (name !== undefined) {
        family = families.get(name) ?? { head: [], samples: [] }
        families.set(name, family)
        if (!family.head.includes(line)) family.head.push(line)
        continue
      }
      if (line !== '') family.samples.push(labelled(line, worker))
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('')
}

function labelled(line: string, worker: number): string {
  const { name, labels, value } = SAMPLE.exec(line)?.groups ?? {}
  const all = [`worker="${worker}"`, ...(labels ? [labels] : [])]
  return `${name}{${all.join(',')}} ${value}`
}
