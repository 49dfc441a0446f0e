/** Maps numbers of a domain onto pixels. */
type Scale = (value: number) => number

export function linearScale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const span = to - from || 1
  return (value) => start + ((value - from) / span) * (end - start)
}

/** About `count` round numbers from `from` to `to`. */
export function ticks(from: number, to: number, count: number): readonly number[] {
  if (!(to > from)) return [from]
  const rough = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const found: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to + step * 1e-9; at += step)
    found.push(Number(at.toPrecision(12)))
  return found
}

/** Points as the `d` of an SVG path; a missing value breaks the line. */
export function linePath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  let isDown = false
  return points
    .map((point) => {
      if (point === null) {
        isDown = false
        return ''
      }
      const command = `${isDown ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
      isDown = true
      return command
    })
    .join('')
}
