/** A loader hook that applies the mutation in the variable MUTANT to one file while it is loaded. */
import { registerHooks } from 'node:module'

const { file, at, from, to } = JSON.parse(process.env['MUTANT'] ?? '{}')

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (url !== file) return loaded
    const text = String(loaded.source)
    if (text.slice(at, at + from.length) !== from) throw new Error('the file is not the one that was read')
    return { ...loaded, source: text.slice(0, at) + to + text.slice(at + from.length) }
  },
})
