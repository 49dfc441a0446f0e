/** What one of the processes of a service exposes. */
export type Scrape = { readonly worker: number; readonly text: string }

type Family = { readonly head: string[]; readonly samples: string[] }

const HEAD = /^# (?:HELP|TYPE) (?<name>\w+) /
const SAMPLE = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/

/**
 * One page of the pages of several processes: every sample stays, and says by a label whose it is. Adding them up would
 * be wrong as soon as one of them starts anew, which Prometheus can only see in series of its own.
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
