// Controls are made in one place, so that every one of them records itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { read, under } from './files.mjs';

const makesItems = new RegExp('ImGui::(Button|SmallButton|InvisibleButton|ArrowButton|ImageButton|Checkbox\\w*|RadioButton|' +
  'Slider\\w+|VSlider\\w+|Drag(?!Float)\\w*(Float|Int|Scalar)\\w*|Combo|BeginCombo|ListBox|BeginListBox|Selectable|' +
  'Input\\w+|MenuItem|TreeNode\\w*|CollapsingHeader|ColorEdit\\w*|BeginTabItem|Text\\w*|BulletText|LabelText)\\(');

test('only the widgets files make ImGui items', () => {
  const makers = ['src/ui/widgets.cpp', 'src/ui/text_field.cpp'];
  const others = under('src', 'h', 'cpp').filter((path) => !makers.includes(path));
  const wrong = others.filter((path) => makesItems.test(read(path)));
  assert.deepEqual(wrong, []);
  assert.ok(makesItems.test(read('src/ui/widgets.cpp')));
});

test('only the theme and the drawing of ImGui know its version', () => {
  const knowing = ['src/ui/theme.cpp', 'src/render/imgui_gl.cpp'];
  const wrong = under('src', 'h', 'cpp').filter((path) => !knowing.includes(path) && read(path).includes('IMGUI_VERSION_NUM'));
  assert.deepEqual(wrong, []);
});
