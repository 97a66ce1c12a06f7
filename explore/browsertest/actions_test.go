package browsertest

import (
	"fmt"

	"github.com/chromedp/chromedp"
)

// typeInto puts text into a field as a reader would.
func typeInto(selector, text string) chromedp.Action {
	return chromedp.Tasks{chromedp.SetValue(selector, "", chromedp.ByQuery), chromedp.SendKeys(selector, text, chromedp.ByQuery)}
}

// setRange moves a slider.
func setRange(selector, value string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`{ const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event("input")); }`, quote(selector), quote(value)), nil)
}

// clickSVG clicks a part of a picture, which has no method for it.
func clickSVG(selector string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%s).dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`, quote(selector)), nil)
}
