/**
 * Runs in a page: the kind of a text, as a line. It is all that axe's judgement about its colours follows from: its
 * colour, size and weight, and what is painted where it stands, in which order, and how much of it that covers.
 */
globalThis.kindReader = (() => {
  const GRAPHICS = new Set(['IMG', 'CANVAS', 'OBJECT', 'IFRAME', 'VIDEO', 'svg'])
  const OFF = ':disabled, [aria-disabled="true"], [inert]'

  function pseudoElement(element, name) {
    const style = getComputedStyle(element, name)
    if (style.content === 'none' || style.content === 'normal') return ''
    return [
      style.position,
      style.display,
      style.visibility,
      style.backgroundColor,
      style.backgroundImage,
    ].join()
  }

  /** What an element adds to the picture behind, or above, a text; nothing for most. */
  function layerOf(element, box) {
    const style = getComputedStyle(element)
    const around = [pseudoElement(element, '::before'), pseudoElement(element, '::after')]
    const changes = [
      style.backgroundColor.replace('rgba(0, 0, 0, 0)', ''),
      style.backgroundImage.replace('none', ''),
      style.opacity.replace(/^1$/, ''),
      style.filter.replace('none', ''),
      style.mixBlendMode.replace('normal', ''),
      style.position.replace('static', ''),
      style.zIndex.replace('auto', ''),
      style.cssFloat.replace('none', ''),
      GRAPHICS.has(element.tagName) ? element.tagName : '',
      ...around,
    ]
    if (changes.every((change) => change === '')) return []
    const text = [style.display === 'inline' ? 'inline' : '', ...changes].join('|')
    return [{ element, text, box }]
  }

  function boxOf(element) {
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim() !== '',
    )
    if (texts.length === 0) return element.getBoundingClientRect()
    const range = document.createRange()
    range.setStart(texts[0], 0)
    range.setEnd(texts.at(-1), texts.at(-1).length)
    return range.getBoundingClientRect()
  }

  function coverOf(layer, box) {
    const width = Math.min(box.right, layer.right) - Math.max(box.left, layer.left)
    const height = Math.min(box.bottom, layer.bottom) - Math.max(box.top, layer.top)
    if (width <= 0 || height <= 0) return ''
    return width >= box.width - 1 && height >= box.height - 1 ? 'all' : 'part'
  }

  function stackAt(element, box, layers) {
    const ancestors = new Set()
    for (let each = element; each; each = each.parentElement) ancestors.add(each)
    const stack = []
    for (const layer of layers) {
      const cover = coverOf(layer.box, box)
      const isAround = ancestors.has(layer.element)
      if (cover === '' && !isAround) continue
      stack.push(
        `${layer.element === element ? 'own' : isAround ? 'around' : 'beside'} ${cover} ${layer.text}`,
      )
    }
    return stack.join('; ')
  }

  /** Why a text may be none to judge: disabled, outside of the page, or for screen readers only. */
  function stateOf(element) {
    const box = element.getBoundingClientRect()
    return [
      element.closest(OFF) || element.closest('label')?.control?.matches(OFF) ? 'off' : '',
      box.right + scrollX <= 0 || box.bottom + scrollY <= 0 ? 'away' : '',
      box.width <= 1 && box.height <= 1 ? 'tiny' : '',
    ].join('')
  }

  function kindOf(element, box, layers) {
    const style = getComputedStyle(element)
    return [
      'type' in element ? `${element.tagName} ${element.type}` : '',
      style.color,
      style.fontSize,
      style.fontWeight,
      style.textShadow,
      style.webkitTextStroke,
      stateOf(element),
      stackAt(element, box, layers),
    ].join('; ')
  }

  /** The kinds of some of the elements of a page. */
  return (visible, elements) => {
    if (elements.length === 0) return []
    const boxes = elements.map(boxOf)
    const layers = [document.documentElement, document.body, ...visible].flatMap((element) => {
      const box = element.getBoundingClientRect()
      const matters = boxes.some((each, at) => coverOf(box, each) !== '' || element.contains(elements[at]))
      return matters ? layerOf(element, box) : []
    })
    return elements.map((element, at) => ({
      element,
      kind: kindOf(element, boxes[at], layers),
      state: stateOf(element),
    }))
  }
})()
