/** Settings in a server's `INFO` that may lose counts, one sentence each. */
export function risksIn(info: string): readonly string[] {
  const fieldOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const risks: string[] = []
  // Without the append-only file a crash loses all counts since the last snapshot, minutes ago.
  if (fieldOf('aof_enabled') !== '1')
    risks.push('Redis has appendonly off: counters do not survive a crash of it. Set appendonly yes.')
  const policy = fieldOf('maxmemory_policy') ?? 'noeviction'
  if (fieldOf('maxmemory') !== '0' && policy !== 'noeviction')
    risks.push(
      `Redis has maxmemory-policy ${policy}: counters are dropped when its memory is full. Set noeviction.`,
    )
  return risks
}
