/**
 * Runs in a page: `hasClearContrast()` answers, for a text that lies on nothing but the grounds of the elements around
 * it, whether WCAG's formula gives it the contrast that small text needs. Whatever is less simple, or has less
 * contrast, is left to axe: no text is faulted here.
 */
globalThis.contrastReader = (() => {
  const ENOUGH = 4.5
  const GRAPHICS = new Set(['IMG', 'CANVAS', 'OBJECT', 'IFRAME', 'VIDEO', 'svg'])
  const PLAIN = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/
  /** Boxes that touch, or that overlap by a rounding, do not lie on each other. */
  const TOUCH_PX = 1

  function toColour(text) {
    const [, red, green, blue, alpha = '1'] = PLAIN.exec(text) ?? []
    return red === undefined ? undefined : { channels: [red, green, blue].map(Number), alpha: Number(alpha) }
  }

  function luminanceOf({ channels }) {
    const [red, green, blue] = channels.map((channel) => {
      const part = channel / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  function contrastOf(one, other) {
    const [low, high] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }

  const over = (upper, lower) => ({
    alpha: 1,
    channels: upper.channels.map(
      (channel, at) => channel * upper.alpha + lower.channels[at] * (1 - upper.alpha),
    ),
  })

  function paintsBeside(element) {
    return ['::before', '::after'].some((name) => {
      const style = getComputedStyle(element, name)
      const isThere = style.content !== 'none' && style.content !== 'normal'
      return isThere && (toColour(style.backgroundColor)?.alpha !== 0 || style.backgroundImage !== 'none')
    })
  }

  /** What an element adds to the picture. */
  function readElement(element) {
    const style = getComputedStyle(element)
    const ground = toColour(style.backgroundColor)
    const hasPicture = GRAPHICS.has(element.tagName) || style.backgroundImage !== 'none' || !ground
    return {
      element,
      ground,
      hasPicture,
      isPainted: hasPicture || ground.alpha > 0,
      // What changes the colours of everything inside, or puts it behind what is around it.
      isPlain:
        style.opacity === '1' &&
        style.filter === 'none' &&
        style.mixBlendMode === 'normal' &&
        !style.zIndex.startsWith('-'),
      box: element.getBoundingClientRect(),
    }
  }

  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > TOUCH_PX &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > TOUCH_PX

  const isWithin = (inner, outer) =>
    inner.left >= outer.left - TOUCH_PX &&
    inner.right <= outer.right + TOUCH_PX &&
    inner.top >= outer.top - TOUCH_PX &&
    inner.bottom <= outer.bottom + TOUCH_PX

  function linesOf(element) {
    const range = document.createRange()
    return [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || node.nodeValue.trim() === '') return []
      range.selectNodeContents(node)
      return [...range.getClientRects()]
    })
  }

  return (visible) => {
    const read = new Map()
    for (const element of [document.documentElement, document.body, ...visible])
      read.set(element, readElement(element))
    const painted = [...read.values()].filter(({ isPainted }) => isPainted)
    const beside = new Map()

    function hasPaintBeside(element) {
      if (!beside.has(element)) beside.set(element, paintsBeside(element))
      return beside.get(element)
    }

    /** The colour behind the lines, if they lie on grounds of elements around them and on nothing else. */
    function groundOf(element, lines) {
      const around = new Set()
      const grounds = []
      let isClosed = false
      for (let each = element; each; each = each.parentElement) {
        const layer = read.get(each)
        if (!layer?.isPlain) return undefined
        around.add(each)
        if (isClosed) continue
        if (layer.hasPicture || hasPaintBeside(each)) return undefined
        if (layer.ground.alpha === 0) continue
        const isPage = each === document.body || each === document.documentElement
        if (!isPage && !lines.every((line) => isWithin(line, layer.box))) return undefined
        grounds.push(layer.ground)
        isClosed = layer.ground.alpha === 1
      }
      if (!isClosed) return undefined
      const isOnOthers = painted.some(
        (layer) => !around.has(layer.element) && lines.some((line) => meet(line, layer.box)),
      )
      return isOnOthers ? undefined : grounds.reduceRight((lower, upper) => over(upper, lower))
    }

    return function hasClearContrast(element) {
      const lines = linesOf(element)
      const style = getComputedStyle(element)
      const colour = toColour(style.color)
      if (lines.length === 0 || colour?.alpha !== 1) return false
      if (style.textShadow !== 'none' || style.webkitTextStrokeWidth !== '0px') return false
      const ground = groundOf(element, lines)
      return ground !== undefined && contrastOf(colour, ground) > ENOUGH
    }
  }
})()
