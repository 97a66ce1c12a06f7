// Package browsertest drives pages of package explore in Chromium. It is a module of
// its own, so that the library does not depend on what drives browsers.
//
// Without Chromium its tests are skipped, unless TOPOI_REQUIRE_CHROMIUM is set. With
// TOPOI_SCREENSHOTS=DIR they leave pictures of every view in DIR, to be looked at.
package browsertest
